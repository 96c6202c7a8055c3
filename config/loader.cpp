#include "config/loader.h"

#include "config/check_relays.h"
#include "config/load_access.h"
#include "config/load_relay.h"
#include "config/load_settings.h"
#include "config/utf8.h"
#include "config/yaml_document.h"
#include "config/yaml_reader.h"

namespace runnel::config {
namespace {

void name_defaults(std::vector<Listen>& listeners, const std::string& file) {
  for (Listen& listen : listeners) listen.origin.file = file;
}

void load_document(const yaml::Document& document, const Surroundings& surroundings,
                   ProblemList& problems, Config& config) {
  const Value file(document.root(), document.root().line, "", problems);
  const auto root = file.mapping(kRootSchema);
  if (!root) return;
  load_settings(*root, config);
  load_access(*root, surroundings, config, problems);
  if (const auto relays = root->find("relays")) load_relays(*relays, surroundings, config);
  check_streams(config, problems);
  check_ports(config, problems);
  check_keystreams(config, problems);
}

}  // namespace

std::expected<Loaded, std::vector<Problem>> load_text(std::string_view yaml,
                                                      const std::string& file_name,
                                                      const Surroundings& surroundings) {
  ProblemList problems(file_name);
  Loaded loaded;
  loaded.config.file = file_name;
  name_defaults(loaded.config.media, file_name);
  name_defaults(loaded.config.signalling, file_name);
  if (yaml.size() > kMaxFileSize) {
    problems.error({file_name, 0, ""},
                   "the file is longer than " + std::to_string(kMaxFileSize / 1024 / 1024) + " MiB",
                   "is this the right file?");
  } else if (const auto line = line_that_is_not_utf8(yaml)) {
    problems.error({file_name, *line, ""}, "this is not UTF-8 text",
                   "save the file in the encoding UTF-8; is this the right file?");
  } else if (const auto document = yaml::Document::parse(yaml, problems)) {
    load_document(*document, surroundings, problems, loaded.config);
  }
  if (problems.has_errors()) return std::unexpected(problems.take_errors());
  loaded.warnings = problems.take_warnings();
  return loaded;
}

}  // namespace runnel::config
