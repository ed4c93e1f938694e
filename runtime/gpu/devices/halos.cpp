#include "runtime/gpu/devices/halos.hpp"

#include "support/trace.hpp"

#include <algorithm>

namespace vr::gpu {
namespace {

/// Larger blocks are no halos; smaller ones are not worth two more commands.
constexpr uintptr_t most_bytes = uintptr_t{32} << 20, least_bytes = 64;
constexpr size_t most_blocks = 16;

}  // namespace

Halos::~Halos() { clear(); }

void Halos::clear() {
  changed({0, UINTPTR_MAX});
  for (PerDevice& d : devices_) {
    for (auto& pin : d.idle) {
      for (const device::EventPtr& e : pin->busy) e->wait();
      pin->busy.clear();
    }
    for (Received& r : d.received) r.known = false;
  }
}

void Halos::asked(size_t device, const Region& region) {
  std::deque<Span>& known = devices_[device].asked;
  for (const Lmad& box : region) {
    const Span span = box.hull();
    if (span.bytes() < least_bytes || span.bytes() > most_bytes) continue;
    // With the bytes between them, if the device has those as well.
    if (!box.dense() && !sides_[device].arrays->lacking({box_of(span)}).empty()) continue;
    const auto same = [&](const Span& k) { return k.lo == span.lo && k.hi == span.hi; };
    if (std::any_of(known.begin(), known.end(), same)) continue;
    if (known.size() >= most_blocks) known.pop_front();
    known.push_back(span);
    ++generation_;
  }
}

Region Halos::wanted(size_t device, const Region& region) const {
  Region blocks;
  for (const Span& span : devices_[device].asked) {
    const Lmad block = box_of(span);
    if (!apart(region, block)) blocks.push_back(block);
  }
  return blocks;
}

std::unique_ptr<Halos::Pin> Halos::take_pin(size_t device, size_t bytes) {
  std::vector<std::unique_ptr<Pin>>& idle = devices_[device].idle;
  for (size_t k = 0; k < idle.size(); ++k) {
    if (idle[k]->bytes < bytes) continue;
    std::unique_ptr<Pin> pin = std::move(idle[k]);
    idle.erase(idle.begin() + std::ptrdiff_t(k));
    for (const device::EventPtr& e : pin->busy) e->wait();
    pin->busy.clear();
    return pin;
  }
  auto pin = std::make_unique<Pin>();
  pin->memory = sides_[device].driver->pin(bytes);
  pin->bytes = bytes;
  return pin->memory ? std::move(pin) : nullptr;
}

void Halos::retire(size_t device, std::unique_ptr<Pin> pin) { devices_[device].idle.push_back(std::move(pin)); }

void Halos::send(size_t device, const Region& blocks) {
  std::vector<ArrayTable::CopyOut> copies;
  std::vector<std::unique_ptr<Pin>> pins;
  for (const Lmad& box : blocks) {
    pins.push_back(take_pin(device, box.hull().bytes()));
    if (!pins.back()) return;  // without pinned memory they go through the host's
    copies.push_back({box.hull(), pins.back()->memory->memory(), nullptr});
  }
  sides_[device].arrays->start_copies_out(copies);
  for (size_t k = 0; k < copies.size(); ++k) {
    if (copies[k].copied)
      devices_[device].sent.push_back({copies[k].block, std::move(pins[k]), std::move(copies[k].copied)});
    else
      retire(device, std::move(pins[k]));
  }
}

Region Halos::receive(size_t from, size_t to, const Region& needed) {
  Region left = needed;
  for (Parcel& p : devices_[from].sent) {
    const Lmad block = box_of(p.span);
    if (apart(left, block)) continue;
    trace::Span trace("OpenCL", "halo");
    trace.note("bytes", int64_t(p.span.bytes()));
    const std::string error = p.arrived->wait();
    if (!error.empty()) throw device::Failure{Code::Device, "a copy from the device failed: " + error};
    std::vector<Received>& all = devices_[to].received;
    auto at = std::find_if(all.begin(), all.end(),
                           [&](const Received& r) { return r.span.lo == p.span.lo && r.span.hi == p.span.hi; });
    if (at == all.end()) {
      if (all.size() >= most_blocks) all.erase(all.begin());
      at = all.insert(all.end(), Received{p.span, false, nullptr});
    }
    device::EventPtr copied =
        sides_[to].arrays->start_copy_in(p.span, p.pin->memory->memory(), at->known, at->last.get());
    if (!copied) continue;
    at->known = true;
    at->last = nullptr;
    p.received = true;
    p.pin->busy.push_back(std::move(copied));
    left = missing(left, {block});
  }
  return left;
}

void Halos::changed(Span span) {
  for (size_t k = 0; k < devices_.size(); ++k) {
    std::vector<Parcel>& sent = devices_[k].sent;
    for (size_t j = 0; j < sent.size();) {
      if (!sent[j].span.overlaps(span)) {
        ++j;
        continue;
      }
      // The copy must have read the bytes. What a device has received has arrived.
      if (!sent[j].received) sent[j].arrived->wait();
      retire(k, std::move(sent[j].pin));
      sent.erase(sent.begin() + std::ptrdiff_t(j));
    }
  }
}

void Halos::used(size_t device, const std::vector<PartUse>& uses) {
  device::EventPtr marker;
  for (Received& r : devices_[device].received) {
    const Lmad block = box_of(r.span);
    const bool touched = std::any_of(uses.begin(), uses.end(), [&](const PartUse& use) {
      return use.hull.overlaps(r.span) && !(apart(use.footprint.read, block) && apart(use.footprint.write, block));
    });
    if (!touched) continue;
    if (!marker) marker = sides_[device].arrays->mark();
    r.last = marker;
    r.known = marker != nullptr;
  }
}

void Halos::used_unknown(size_t device) {
  for (Received& r : devices_[device].received) r.known = false;
}

}  // namespace vr::gpu
