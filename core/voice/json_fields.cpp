#include "core/voice/json_fields.h"

#include <algorithm>
#include <exception>

#include <nlohmann/json.hpp>

#include "core/voice/client_message.h"

namespace runnel::voice {
namespace {

/// Takes the parser's events; each answers whether parsing goes on.
class Collector {
 public:
  using Fields = std::vector<std::pair<std::string_view, FieldValue>>;

  Collector(const std::vector<std::string_view>& paths, Fields& fields)
      : paths_(paths), fields_(fields) {}

  std::string problem;

  bool null() { return add({}); }
  bool boolean(bool) { return add({}); }
  bool number_integer(std::int64_t) { return add({}); }
  bool number_unsigned(std::uint64_t value) { return add(value); }
  bool number_float(double, const std::string&) { return add({}); }
  bool string(std::string& value) { return add(std::move(value)); }
  bool binary(nlohmann::json::binary_t&) { return stop("binary data is not JSON"); }

  bool start_object(std::size_t) { return open(false); }
  bool start_array(std::size_t) { return open(true); }
  bool end_object() { return close(); }
  bool end_array() { return close(); }
  bool key(std::string& name) {
    Level& level = levels_.back();
    path_.resize(level.path_size);
    if (level.path_size != 0) path_ += '.';
    path_ += name;
    return true;
  }
  bool parse_error(std::size_t read, const std::string&, const nlohmann::json::exception&) {
    return stop("the text is no JSON, as byte " + std::to_string(read) + " shows");
  }

 private:
  struct Level {
    std::size_t path_size;  // of the path that leads here
    bool is_array;
  };

  bool stop(std::string why) {
    problem = std::move(why);
    return false;
  }

  bool count_value() {
    if (levels_.empty()) return stop("the text is no JSON object");
    if (++values_ <= kMaxValues) return true;
    return stop("the text has more than " + std::to_string(kMaxValues) + " values");
  }

  bool add(FieldValue value) {
    if (!count_value()) return false;
    if (arrays_ > 0) return true;
    const auto known = std::ranges::find(paths_, path_);
    if (known == paths_.end()) return true;
    const auto is_same = [&](const auto& field) { return field.first == *known; };
    if (std::ranges::any_of(fields_, is_same)) return stop(path_ + ": stands twice");
    fields_.emplace_back(*known, std::move(value));
    return true;
  }

  bool open(bool is_array) {
    if (levels_.size() == kMaxDepth) {
      return stop("more than " + std::to_string(kMaxDepth) +
                  " objects and arrays stand inside of one another");
    }
    if (levels_.empty() && is_array) return stop("the text is no JSON object");
    // What stands at the path of a field is there as well, and is no text.
    if (!levels_.empty() && !add({})) return false;
    levels_.push_back({path_.size(), is_array});
    arrays_ += is_array ? 1 : 0;
    return true;
  }
  bool close() {
    arrays_ -= levels_.back().is_array ? 1 : 0;
    path_.resize(levels_.back().path_size);
    levels_.pop_back();
    return true;
  }

  const std::vector<std::string_view>& paths_;
  Fields& fields_;
  std::string path_;
  std::vector<Level> levels_;
  std::size_t arrays_ = 0;
  std::size_t values_ = 0;
};

}  // namespace

std::expected<JsonFields, std::string> JsonFields::parse(
    std::string_view text, const std::vector<std::string_view>& paths) {
  // The parser would take it for the end, and not look at what follows.
  if (text.find('\0') != std::string_view::npos) {
    return std::unexpected("the text is no JSON, as it has a zero byte");
  }
  JsonFields result;
  Collector collector(paths, result.fields_);
  try {
    const bool complete =
        nlohmann::json::sax_parse(text.data(), text.data() + text.size(), &collector);
    if (!complete) return std::unexpected(std::move(collector.problem));
  } catch (const std::exception&) {
    return std::unexpected("the text cannot be taken apart");
  }
  return result;
}

const FieldValue* JsonFields::find(std::string_view path) const noexcept {
  const auto found = std::ranges::find(fields_, path, &decltype(fields_)::value_type::first);
  return found == fields_.end() ? nullptr : &found->second;
}

}  // namespace runnel::voice
