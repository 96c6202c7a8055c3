// The part of the desk that WHIP and WHEP are built on.
#include "core/session/desk.h"
#include "core/session/lifecycle.h"
#include "core/session/requests.h"
#include "core/session/resources.h"

namespace runnel::session {

std::expected<NewResource, signalling::Error> Desk::create_resource(const Moment& moment,
                                                                    const Client& client,
                                                                    PublishByOffer wish) {
  return session::create_resource(*state_, moment, client, std::move(wish));
}

std::expected<NewResource, signalling::Error> Desk::create_resource(const Moment& moment,
                                                                    const Client& client,
                                                                    SubscribeByOffer wish) {
  return session::create_resource(*state_, moment, client, std::move(wish));
}

std::expected<ResourceStatus, signalling::Error> Desk::status_of_resource(
    const Moment& moment, const Client& client, const ResourceName& resource) {
  const auto leg = find_resource(*state_, moment, client, resource);
  if (!leg) return std::unexpected(leg.error());
  return status_of(*state_, *leg);
}

std::expected<void, signalling::Error> Desk::answer_resource(const Moment& moment,
                                                             const Client& client,
                                                             const ResourceName& resource,
                                                             std::string_view sdp) {
  const auto leg = find_resource(*state_, moment, client, resource);
  if (!leg) return std::unexpected(leg.error());
  return session::answer_resource(*state_, moment, *leg, sdp);
}

std::expected<RestartedResource, signalling::Error> Desk::restart_resource(
    const Moment& moment, const Client& client, const ResourceName& resource,
    std::string_view ufrag, std::string_view password) {
  const auto leg = find_resource(*state_, moment, client, resource);
  if (!leg) return std::unexpected(leg.error());
  return session::restart_resource(*state_, moment, *leg, ufrag, password);
}

std::expected<void, signalling::Error> Desk::end_resource(const Moment& moment,
                                                          const Client& client,
                                                          const ResourceName& resource) {
  const auto leg = find_resource(*state_, moment, client, resource);
  if (!leg) return std::unexpected(leg.error());
  end_session(*state_, moment, leg->session);
  return {};
}

std::expected<void, signalling::Error> Desk::choose_layers(const Moment& moment,
                                                           const Client& client,
                                                           const ResourceName& resource,
                                                           const relay::LayerWish& wish) {
  const auto leg = find_resource(*state_, moment, client, resource);
  if (!leg) return std::unexpected(leg.error());
  signalling::Update update;
  update.leg = leg->leg;
  update.layers = wish;
  const Result result = session::handle(*state_, {moment, leg->session, std::nullopt}, update);
  if (!result) return std::unexpected(result.error());
  return {};
}

bool Desk::has_resource(std::string_view id) const {
  return state_->resources.contains(std::string(id));
}

std::vector<ResourceLayers> Desk::layers_of_resource(std::string_view id) const {
  const auto found = state_->resources.find(std::string(id));
  if (found == state_->resources.end()) return {};
  return layers_of(*state_, state_->sessions.at(found->second));
}

std::optional<signalling::StreamSummary> Desk::summary_of_stream(std::string_view stream) const {
  const StreamRecord* record = state_->find_stream(stream);
  if (record == nullptr) return std::nullopt;
  return session::summary_of(std::string(stream), *record);
}

}  // namespace runnel::session
