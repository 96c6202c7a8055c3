// The event "layers" of WHEP: which encodings of its video a viewer can choose from
// (draft-ietf-wish-whep-03 §4.9.1.3).
#pragma once

#include <span>
#include <string>

#include "core/session/resource.h"

namespace runnel::whip {

using Layers = std::span<const session::ResourceLayers>;

/// By the index of each m-line, a list of its encodings: `{"1":[{"rid":"h","bitrate":2300000,
/// "width":1280,"height":720}]}`. One without a bitrate is not sent at the moment. Layers within an
/// encoding are not told apart, as whole encodings are chosen.
[[nodiscard]] std::string layers_data(Layers layers);

/// Whether a viewer could choose from the same before; bitrates always differ.
[[nodiscard]] bool are_alike(Layers before, Layers now);

/// Whether there is anything to choose from.
[[nodiscard]] bool has_layers(Layers layers);

}  // namespace runnel::whip
