#include "config/access_summary.h"

#include "config/calendar.h"
#include "config/page_address.h"
#include "config/wording.h"

namespace runnel::config {
namespace {

/// "a, b and c"
std::string listed(const std::vector<std::string>& words, const char* last = " and ") {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) text += i + 1 == words.size() ? last : ", ";
    text += words[i];
  }
  return text;
}

std::string describe(const auth::Grant& grant) {
  std::vector<std::string> actions;
  for (const auth::Action action : auth::kActions) {
    if (grant.actions.contains(action)) actions.emplace_back(to_string(action));
  }
  return listed(actions) + " " + listed(grant.streams);
}

std::string describe(const auth::StaticToken& token) {
  std::string text = "  " + token.name + " may ";
  for (const auth::Grant& grant : token.permissions.grants) text += describe(grant);
  if (token.permissions.take_over) text += ", and take over";
  if (token.expiry) text += ", until " + format_time(*token.expiry);
  return text + "\n";
}

std::string describe(const auth::JwtKey& key) {
  return "  JWTs signed by " + std::string(to_string(key.algorithm())) +
         (key.id().empty() ? "" : ", kid " + quote(key.id())) + "\n";
}

std::string describe_demands(const auth::JwtSettings& jwt) {
  std::string text;
  if (!jwt.issuer.empty()) text += "  JWTs have to be from " + quote(jwt.issuer) + "\n";
  std::vector<std::string> audience;
  for (const std::string& recipient : jwt.audience) audience.push_back(quote(recipient));
  if (!audience.empty()) text += "  JWTs have to be for " + listed(audience, " or ") + "\n";
  return text;
}

std::string describe(const Auth& auth) {
  if (auth.settings.policy == auth::Policy::open) {
    return auth.is_configured ? "access      everybody may do everything\n"
                              : "access      everybody on this machine may do everything\n";
  }
  std::string text = "access      with a token\n";
  for (const auth::StaticToken& token : auth.settings.tokens) text += describe(token);
  for (const auth::JwtKey& key : auth.settings.jwt.keys) text += describe(key);
  text += describe_demands(auth.settings.jwt);
  if (auth.query) text += "  tokens may stand in the URL\n";
  return text;
}

std::string describe_networks(const std::vector<IpNetwork>& networks, const std::string& meaning) {
  std::vector<std::string> words;
  for (const IpNetwork& network : networks) words.push_back(network.to_string());
  return words.empty() ? "" : "  " + meaning + " " + listed(words) + "\n";
}

}  // namespace

std::string access_summary(const Config& config) {
  if (config.signalling.empty()) return "";
  const SignallingSettings& settings = config.signalling_settings;
  std::string text = "page        " + page_address(config) + "\n";
  text += "tls         " + (config.tls ? config.tls->certificate : std::string("none")) + "\n";
  text += describe(config.auth);
  if (!settings.origins.empty()) {
    text += "  web pages from " + listed(settings.origins) + " may connect\n";
  }
  text += describe_networks(settings.rtp_networks, "rtp legs may come from and go to");
  return text + describe_networks(settings.srtp_networks, "srtp legs may also go to");
}

}  // namespace runnel::config
