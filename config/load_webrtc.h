// How browsers connect for media: the section `webrtc`.
#pragma once

#include "config/config.h"
#include "config/loader.h"
#include "config/yaml_reader.h"

namespace runnel::config {

/// What the file does not say keeps its default.
void load_webrtc(const Value& value, const Surroundings& surroundings, WebRtc& webrtc);

}  // namespace runnel::config
