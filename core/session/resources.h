// WHIP and WHEP at the desk: each resource is a session of one webrtc leg, known by its id.
#pragma once

#include "core/session/desk.h"
#include "core/session/desk_state.h"
#include "core/session/moment.h"
#include "core/session/result.h"

namespace runnel::session {

// As in Desk.

[[nodiscard]] Expected<NewResource> create_resource(DeskState& state, const Moment& moment,
                                                    const Client& client, PublishByOffer&& wish);
[[nodiscard]] Expected<NewResource> create_resource(DeskState& state, const Moment& moment,
                                                    const Client& client, SubscribeByOffer&& wish);

/// The resource's session and its leg, for somebody who may ask about it.
[[nodiscard]] Expected<LegKey> find_resource(DeskState& state, const Moment& moment,
                                             const Client& client, const ResourceName& resource);

[[nodiscard]] Expected<ResourceStatus> status_of(DeskState& state, const LegKey& resource);
[[nodiscard]] Expected<void> answer_resource(DeskState& state, const Moment& moment,
                                             const LegKey& resource, std::string_view sdp);
[[nodiscard]] Expected<RestartedResource> restart_resource(DeskState& state, const Moment& moment,
                                                           const LegKey& resource,
                                                           std::string_view ufrag,
                                                           std::string_view password);

[[nodiscard]] std::vector<ResourceLayers> layers_of(DeskState& state,
                                                    const SessionRecord& resource);

}  // namespace runnel::session
