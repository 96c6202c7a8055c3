#include "daemon/name_lookup.h"

#include <cstring>
#include <memory>
#include <netdb.h>
#include <utility>

#include "daemon/socket_address.h"

namespace runnel::daemon {
namespace {

std::vector<IpAddress> addresses_in(const addrinfo* list) {
  std::vector<IpAddress> addresses;
  for (const addrinfo* entry = list; entry != nullptr; entry = entry->ai_next) {
    KernelAddress kernel_address;
    if (entry->ai_addrlen > sizeof kernel_address) continue;
    std::memcpy(&kernel_address, entry->ai_addr, entry->ai_addrlen);
    const auto address = from_kernel(kernel_address, entry->ai_addrlen);
    if (address) addresses.push_back(address->ip);
  }
  return addresses;
}

int family_of(AddressFamily family) noexcept {
  switch (family) {
    case AddressFamily::ipv4:
      return AF_INET;
    case AddressFamily::ipv6:
      return AF_INET6;
    case AddressFamily::any:
      break;
  }
  return AF_UNSPEC;
}

NameLookup::Answer answer_of(int error, std::vector<IpAddress> addresses) {
  if (error == 0 && addresses.empty()) error = UV_EAI_NODATA;
  if (error != 0) return std::unexpected(std::string(uv_strerror(error)));
  return addresses;
}

}  // namespace

/// It outlives a lookup that no longer wants the answer.
struct NameLookup::Question {
  uv_getaddrinfo_t request{};
  NameLookup* lookup = nullptr;

  static void on_done(uv_getaddrinfo_t* request, int error, addrinfo* list) noexcept {
    const std::unique_ptr<Question> question(static_cast<Question*>(request->data));
    const Answer answer = answer_of(error, addresses_in(list));
    uv_freeaddrinfo(list);
    if (question->lookup != nullptr) question->lookup->take(answer);
  }
};

NameLookup::NameLookup(EventLoop& loop, std::string host, AddressFamily family,
                       std::function<void(const Answer&)> on_answer,
                       const LookupIntervals& intervals)
    : loop_(loop),
      host_(std::move(host)),
      family_(family),
      on_answer_(std::move(on_answer)),
      intervals_(intervals),
      timer_(loop, [this] { start(); }) {}

NameLookup::~NameLookup() {
  if (question_ == nullptr) return;
  question_->lookup = nullptr;
  uv_cancel(reinterpret_cast<uv_req_t*>(&question_->request));
}

void NameLookup::start() {
  if (is_busy()) return;
  auto question = std::make_unique<Question>();
  question->lookup = this;
  question->request.data = question.get();
  addrinfo hints{};
  hints.ai_family = family_of(family_);
  hints.ai_socktype = SOCK_DGRAM;
  const int error = uv_getaddrinfo(loop_.get(), &question->request, Question::on_done,
                                   host_.c_str(), nullptr, &hints);
  if (error != 0) return take(answer_of(error, {}));
  question_ = question.release();
}

void NameLookup::take(const Answer& answer) {
  question_ = nullptr;
  timer_.start_once(answer ? intervals_.refresh : intervals_.retry);
  on_answer_(answer);
}

}  // namespace runnel::daemon
