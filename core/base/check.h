// A broken invariant is a bug of ours: say where, and abort. Never used on what comes from the wire
// or from a person.
#pragma once

namespace runnel {

[[noreturn]] void check_failed(const char* condition, const char* file, int line) noexcept;

}  // namespace runnel

#define RUNNEL_CHECK(condition) \
  ((condition) ? static_cast<void>(0) : ::runnel::check_failed(#condition, __FILE__, __LINE__))
