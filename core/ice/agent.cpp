#include "core/ice/agent.h"

#include <algorithm>
#include <array>
#include <utility>

#include "core/base/check.h"
#include "core/ice/check_response.h"
#include "core/stun/integrity.h"

namespace runnel::ice {

std::optional<UsernameView> split_username(std::string_view username) noexcept {
  const std::size_t colon = username.find(':');
  if (colon == std::string_view::npos) return std::nullopt;
  const UsernameView parts{username.substr(0, colon), username.substr(colon + 1)};
  if (parts.local.empty() || parts.remote.empty()) return std::nullopt;
  return parts;
}

Agent::Generation::Generation(Credentials credentials)
    : local(std::move(credentials)), key(stun::integrity_key(local.password)) {}

Agent::Agent(Credentials local, AgentLimits limits) : limits_(limits), current_(std::move(local)) {
  RUNNEL_CHECK(limits_.paths != 0);
  paths_.reserve(limits_.paths);
}

bool Agent::accepts(std::string_view local_ufrag) const noexcept {
  return local_ufrag == current_.local.ufrag ||
         (previous_ && local_ufrag == previous_->local.ufrag);
}

void Agent::set_remote_ufrag(std::string_view ufrag) {
  current_.remote_ufrag = ufrag;
}

std::optional<std::string> Agent::restart(Credentials local) {
  Generation replaced = std::exchange(current_, Generation(std::move(local)));
  // What the peer uses by now is the older one; it knows nothing of the replaced yet.
  if (previous_) return std::move(replaced.local.ufrag);
  previous_ = std::move(replaced);
  return std::nullopt;
}

std::expected<CheckOutcome, DropReason> Agent::handle_request(Timestamp now, const Path& path,
                                                              const stun::MessageView& request,
                                                              ByteSpan out) noexcept {
  const auto username = request.username();
  if (!request.is_binding(stun::MessageClass::request) || !username || !request.has_integrity()) {
    return std::unexpected(DropReason::malformed);
  }
  const Generation* generation = generation_of(*username);
  if (generation == nullptr) return std::unexpected(DropReason::unknown_path);
  if (!request.is_authentic(generation->key)) {
    return std::unexpected(DropReason::authentication_failed);
  }

  CheckOutcome outcome;
  std::array<stun::AttributeType, kMaxNamedAttributes> unknown;
  if (const std::size_t count = request.not_understood(unknown); count != 0) {
    outcome.response =
        unknown_attribute_response(request, std::span(unknown).first(count), generation->key, out);
    return outcome;
  }
  // The peer is to become the controlling one, whatever the tie-breakers: we can not.
  if (request.ice_controlled()) {
    outcome.response =
        error_response(request, stun::ErrorCode::role_conflict, generation->key, out);
    return outcome;
  }
  outcome.response = success_response(request, path.remote, generation->key, out);

  validate(now, path, outcome);
  if (path != selected_ && is_to_be_selected(now, request.use_candidate())) {
    selected_ = path;
    outcome.selected = true;
  }
  if (path == selected_) consent_end_ = now + limits_.consent;
  if (generation == &current_ && previous_) {
    outcome.retired_ufrag = std::move(previous_->local.ufrag);
    previous_.reset();
  }
  return outcome;
}

const Agent::Generation* Agent::generation_of(std::string_view username) const noexcept {
  const auto parts = split_username(username);
  if (!parts) return nullptr;
  const auto is_meant = [&](const Generation& generation) {
    return generation.local.ufrag == parts->local &&
           (!generation.remote_ufrag || *generation.remote_ufrag == parts->remote);
  };
  if (is_meant(current_)) return &current_;
  if (previous_ && is_meant(*previous_)) return &*previous_;
  return nullptr;
}

const ValidatedPath* Agent::find(const Path& path) const noexcept {
  const auto found = std::ranges::find(paths_, path, &ValidatedPath::path);
  return found == paths_.end() ? nullptr : &*found;
}

void Agent::validate(Timestamp now, const Path& path, CheckOutcome& outcome) noexcept {
  const auto known = std::ranges::find(paths_, path, &ValidatedPath::path);
  if (known != paths_.end()) {
    known->last_check = now;
    return;
  }
  if (paths_.size() == limits_.paths) make_room(outcome);
  paths_.push_back({path, now});
  outcome.validated = true;
}

void Agent::make_room(CheckOutcome& outcome) noexcept {
  // The selected path comes last of all.
  const auto oldest = std::ranges::min_element(paths_, {}, [&](const ValidatedPath& validated) {
    return std::pair(validated.path == selected_, validated.last_check);
  });
  outcome.forgotten = oldest->path;
  forget(*outcome.forgotten);
}

bool Agent::is_to_be_selected(Timestamp now, bool nominated) const noexcept {
  // The newest nomination wins: a peer that changes its network nominates anew, and one that
  // nominates all paths (as RFC 5245 allowed) soon checks a single one.
  if (nominated) return true;
  if (!consent_end_) return false;
  return !selected_ || now - find(*selected_)->last_check >= limits_.silence;
}

void Agent::forget(Path path) noexcept {
  std::erase_if(paths_, [&](const ValidatedPath& validated) { return validated.path == path; });
  if (selected_ == path) selected_.reset();
}

bool Agent::is_validated(const Path& path) const noexcept {
  return find(path) != nullptr;
}

}  // namespace runnel::ice
