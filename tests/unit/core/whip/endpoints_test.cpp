// WHIP and WHEP as their clients see them.
#include "core/whip/endpoints.h"

#include "web.h"

namespace runnel::whip {
namespace {

using session::Browser;
using testing::HasSubstr;
using testing::MatchesRegex;

constexpr const char* kCredentials = "a=ice-ufrag:ysXw\r\na=ice-pwd:vw5LmwG4y/e6dPP/zAP9Gp5k\r\n";

std::string fragment(std::string_view credentials) {
  return "a=group:BUNDLE 0 1\r\nm=audio 9 UDP/TLS/RTP/SAVPF 111\r\na=mid:0\r\n" +
         std::string(credentials) +
         "a=candidate:1 1 udp 2122260223 192.0.2.1 61764 typ host\r\na=end-of-candidates\r\n";
}

/// A publication and a viewer's browser that waits.
struct Stage {
  Web web;
  Browser publisher{web.scene, "192.0.2.10:50000"};
  Browser viewer{web.scene, "192.0.2.11:50000"};
  http::Response published = web.post_sdp("/whip/cam", publisher.offer("chromium-sendonly-VP8"));

  explicit Stage(session::SceneOptions options = session::SceneOptions{}, std::string token = {})
      : web((std::move(options))) {
    web.token = std::move(token);
    if (!web.token.empty()) {
      published = web.post_sdp("/whip/cam", publisher.offer("chromium-sendonly-VP8"));
    }
    EXPECT_EQ(published.status, 201) << published.body;
    publisher.take_answer(published.body);
  }
  http::Response watch() { return web.post_sdp("/whep/cam", viewer.offer("chromium-recvonly")); }
};

TEST(Whip, AnswersAnOffer) {
  Web web({}, {.ice_servers = {{.urls = {"stun:stun.example.net"}}}});
  Browser browser(web.scene);
  const http::Response made = web.post_sdp("/whip/cam", browser.offer("obs-whip"));
  ASSERT_EQ(made.status, 201) << made.body;
  EXPECT_EQ(field(made, "Content-Type"), "application/sdp");
  EXPECT_THAT(field(made, "Location"), MatchesRegex("/whip/cam/[A-Za-z0-9_-]+"));
  EXPECT_THAT(field(made, "ETag"), MatchesRegex("\"[^\"]+\""));
  EXPECT_EQ(field(made, "Accept-Patch"), "application/trickle-ice-sdpfrag");
  EXPECT_EQ(field(made, "Link"), "<stun:stun.example.net>; rel=\"ice-server\"");
  EXPECT_THAT(made.body, HasSubstr("a=candidate:"));
  browser.take_answer(made.body);
  EXPECT_EQ(web.scene.desk.counts().publications, 1u);
}

TEST(Whip, RefusesWhatIsNoOffer) {
  Web web;
  Browser browser(web.scene);
  const http::Response untyped =
      web.ask("POST", "/whip/cam", {}, browser.offer("obs-whip")).response;
  EXPECT_EQ(untyped.status, 415);
  EXPECT_EQ(field(untyped, "Accept-Post"), "application/sdp");
  EXPECT_EQ(web.post_sdp("/whip/cam", "").status, 400);
  const http::Response broken = web.post_sdp("/whip/cam", "v=0\r\nrubbish\r\n");
  EXPECT_EQ(broken.status, 400);
  EXPECT_EQ(field(broken, "Content-Type"), "application/problem+json");
  EXPECT_THAT(broken.body, HasSubstr("\"code\":\"bad_sdp\""));
  EXPECT_THAT(broken.body, HasSubstr("line 2"));
  EXPECT_EQ(web.scene.desk.counts().sessions, 0u);
}

TEST(Whip, TellsThatAStreamIsTaken) {
  Stage stage;
  Browser other(stage.web.scene, "192.0.2.12:50000");
  const http::Response busy = stage.web.post_sdp("/whip/cam", other.offer("obs-whip"));
  EXPECT_EQ(busy.status, 409);
  EXPECT_NE(field(busy, "Retry-After"), "");
  const http::Response taken =
      stage.web.post_sdp("/whip/cam?take_over=true", other.offer("chromium-sendonly-VP8"));
  EXPECT_EQ(taken.status, 201) << taken.body;
}

TEST(Whip, TakesAStreamOverByOneAsByTrueAndByNothingElse) {
  Stage stage;
  Browser other(stage.web.scene, "192.0.2.12:50000");
  const std::string offer = other.offer("chromium-sendonly-VP8");
  for (const char* no : {"false", "0"}) {
    EXPECT_EQ(stage.web.post_sdp(std::string("/whip/cam?take_over=") + no, offer).status, 409);
  }
  for (const char* wrong : {"", "=", "=yes", "=TRUE", "=2"}) {
    const auto refused = stage.web.post_sdp(std::string("/whip/cam?take_over") + wrong, offer);
    EXPECT_EQ(refused.status, 400) << wrong;
    EXPECT_THAT(refused.body, HasSubstr("'take_over' must be true or false")) << wrong;
  }
  EXPECT_EQ(stage.web.post_sdp("/whip/cam?take_over=1", offer).status, 201);
}

TEST(Whip, TakesCandidatesOfTheIceSessionThatIsMeant) {
  Stage stage;
  const std::string path = field(stage.published, "Location");
  const std::string tag = field(stage.published, "ETag");
  const http::Response same = stage.web.patch(path, fragment(""), {{"If-Match", tag}});
  EXPECT_EQ(same.status, 204) << same.body;
  EXPECT_FALSE(same.headers.contains("ETag"));
  EXPECT_EQ(stage.web.patch(path, fragment(""), {{"If-Match", "*"}}).status, 204);
  EXPECT_EQ(stage.web.patch(path, fragment("")).status, 428);
  EXPECT_EQ(stage.web.patch(path, fragment(""), {{"If-Match", "\"other\""}}).status, 412);
  EXPECT_EQ(stage.web.patch(path, "rubbish", {{"If-Match", "*"}}).status, 400);
  const http::Response typed =
      stage.web.ask("PATCH", path, {{"Content-Type", "application/sdp"}, {"If-Match", "*"}}, "v=0")
          .response;
  EXPECT_EQ(typed.status, 415);
  EXPECT_EQ(field(typed, "Accept-Patch"), "application/trickle-ice-sdpfrag");
}

TEST(Whip, RestartsIce) {
  Stage stage;
  const std::string path = field(stage.published, "Location");
  const std::string tag = field(stage.published, "ETag");
  EXPECT_EQ(stage.web.patch(path, fragment(kCredentials), {{"If-Match", "\"old\""}}).status, 412);
  const http::Response restarted =
      stage.web.patch(path, fragment(kCredentials), {{"If-Match", "*"}});
  ASSERT_EQ(restarted.status, 200) << restarted.body;
  EXPECT_EQ(field(restarted, "Content-Type"), "application/trickle-ice-sdpfrag");
  EXPECT_NE(field(restarted, "ETag"), tag);
  EXPECT_NE(field(restarted, "ETag"), "");
  EXPECT_THAT(restarted.body, HasSubstr("a=ice-ufrag:"));
  EXPECT_THAT(restarted.body, HasSubstr("a=ice-lite"));
  EXPECT_THAT(restarted.body, HasSubstr("a=candidate:"));
  // What was sent before the restart is too late now.
  EXPECT_EQ(stage.web.patch(path, fragment(""), {{"If-Match", tag}}).status, 412);
  // The same credentials again are no restart.
  EXPECT_EQ(stage.web.patch(path, fragment(kCredentials), {{"If-Match", "*"}}).status, 204);
}

TEST(Whip, EndsByDelete) {
  Stage stage;
  const std::string path = field(stage.published, "Location");
  EXPECT_EQ(stage.web.ask("GET", path).response.status, 204);
  EXPECT_EQ(stage.web.ask("DELETE", path, {{"If-Match", "\"ignored\""}}).response.status, 200);
  for (const char* method : {"GET", "DELETE"}) {
    EXPECT_EQ(stage.web.ask(method, path).response.status, 404) << method;
  }
  EXPECT_EQ(stage.web.patch(path, fragment(""), {{"If-Match", "*"}}).status, 404);
  EXPECT_EQ(stage.web.scene.desk.counts().publications, 0u);
}

TEST(Whip, SaysWhatItServes) {
  Web web;
  const http::Response options = web.ask("OPTIONS", "/whip/cam").response;
  EXPECT_EQ(options.status, 200);
  EXPECT_EQ(field(options, "Accept-Post"), "application/sdp");
  EXPECT_THAT(field(options, "Allow"), HasSubstr("POST"));
  EXPECT_EQ(web.ask("GET", "/whip/cam").response.status, 204);
  const http::Response put = web.ask("PUT", "/whip/cam/id").response;
  EXPECT_EQ(put.status, 405);
  EXPECT_THAT(field(put, "Allow"), HasSubstr("PATCH"));
  EXPECT_EQ(web.ask("POST", "/whip/cam/id/layer").response.status, 404);
  EXPECT_EQ(web.ask("DELETE", "/whip/cam/id").response.status, 404);
  const http::Response head = web.ask("HEAD", "/whep/cam").response;
  EXPECT_EQ(head.status, 200);
  EXPECT_EQ(field(head, "Content-Type"), "application/sdp");
}

TEST(Whip, AsksForATokenAndItsRights) {
  session::SceneOptions options;
  options.auth =
      session::tokens_only(session::static_token("a", session::may("cam", auth::Action::publish)),
                           session::static_token("b", session::may("*", auth::Action::subscribe)));
  Web web(std::move(options));
  Browser browser(web.scene);
  const std::string offer = browser.offer("obs-whip");
  const http::Response nobody = web.post_sdp("/whip/cam", offer);
  EXPECT_EQ(nobody.status, 401);
  EXPECT_EQ(field(nobody, "WWW-Authenticate"), "Bearer");
  web.token = session::token_of("b");
  EXPECT_EQ(web.post_sdp("/whip/cam", offer).status, 403);
  web.token = session::token_of("a");
  const http::Response made = web.post_sdp("/whip/cam", offer);
  ASSERT_EQ(made.status, 201) << made.body;
  web.token = session::token_of("b");
  EXPECT_EQ(web.ask("DELETE", field(made, "Location")).response.status, 403);
  EXPECT_EQ(web.scene.desk.counts().publications, 1u);
}

TEST(Whep, TellsThatNothingIsLive) {
  Web web;
  Browser browser(web.scene);
  const http::Response answer = web.post_sdp("/whep/cam", browser.offer("chromium-recvonly"));
  EXPECT_EQ(answer.status, 409);
  EXPECT_NE(field(answer, "Retry-After"), "");
}

TEST(Whep, AnswersAnOffer) {
  Stage stage;
  const http::Response made = stage.watch();
  ASSERT_EQ(made.status, 201) << made.body;
  const std::string path = field(made, "Location");
  EXPECT_THAT(path, MatchesRegex("/whep/cam/[A-Za-z0-9_-]+"));
  EXPECT_THAT(made.headers.combined("Link"),
              HasSubstr("<" + path +
                        "/events>; rel=\"urn:ietf:params:whep:ext:core:server-sent-"
                        "events\"; events=\"active,inactive,viewercount,layers\""));
  EXPECT_THAT(made.headers.combined("Link"),
              HasSubstr("<" + path + "/layer>; rel=\"urn:ietf:params:whep:ext:core:layer\""));
  stage.viewer.take_answer(made.body);
  EXPECT_EQ(stage.web.scene.desk.counts().subscriptions, 1u);
  EXPECT_EQ(stage.web.ask("DELETE", path).response.status, 200);
  EXPECT_EQ(stage.web.scene.desk.counts().subscriptions, 0u);
}

TEST(Whep, OffersToWhomSendsNothing) {
  Stage stage;
  const http::Response made =
      stage.web.ask("POST", "/whep/cam", {{"Accept", "application/sdp"}}).response;
  ASSERT_EQ(made.status, 201) << made.body;
  EXPECT_EQ(field(made, "Content-Type"), "application/sdp");
  EXPECT_THAT(field(made, "Accept-Patch"), HasSubstr("application/sdp"));
  EXPECT_THAT(made.body, HasSubstr("a=setup:actpass"));
  const std::string path = field(made, "Location");
  const Fields sdp{{"Content-Type", "application/sdp"}};
  EXPECT_EQ(stage.web.ask("PATCH", path, sdp, "v=0\r\n").response.status, 400);
  const http::Response answered =
      stage.web.ask("PATCH", path, sdp, stage.viewer.answer(made.body)).response;
  EXPECT_EQ(answered.status, 204) << answered.body;
  EXPECT_EQ(stage.web.ask("PATCH", path, sdp, "v=0\r\n").response.status, 409)
      << "no offer is open";
}

TEST(Whep, ChoosesAnEncoding) {
  Stage stage;
  const std::string path = field(stage.watch(), "Location") + "/layer";
  const Fields json{{"Content-Type", "application/json"}};
  const auto choose = [&](std::string_view body) {
    return stage.web.ask("POST", path, json, body).response.status;
  };
  EXPECT_EQ(choose("{\"mediaId\":\"0\",\"maxHeight\":360}"), 200);
  EXPECT_EQ(choose("{\"mediaId\":\"0\"}"), 200);
  EXPECT_EQ(choose("{\"temporalLayerId\":1}"), 422);
  EXPECT_EQ(choose("{\"maxHeight\":\"x\"}"), 400);
  EXPECT_EQ(choose("nonsense"), 400);
  EXPECT_EQ(stage.web.ask("POST", path, {}, "{}").response.status, 415);
}

}  // namespace
}  // namespace runnel::whip
