#pragma once
// The one implementation of RtlSim, over the class that Verilator made of a configuration (V). Port types depend on the widths; the small
// functions in `ports` make them equal. Only ports whose valid bit is set are read.
#include <algorithm>
#include <type_traits>

#include "maskwork/verif/rtl_sim.hpp"
#include "verilated.h"
#ifdef MASKWORK_TRACE
#include "verilated_fst_c.h"
#endif

namespace maskwork::verif {

namespace ports {
template <class T>
constexpr bool is_wide = !std::is_integral_v<T>;

/// 32-bit word `i` of a port.
template <class T>
inline uint32_t word(const T& port, uint32_t i) {
  if constexpr (is_wide<T>) {
    return port[i];
  } else if constexpr (sizeof(T) == 8) {
    return static_cast<uint32_t>(port >> (32 * i));
  } else {
    return port;
  }
}
template <class T>
inline void set_word(T& port, uint32_t i, uint32_t value) {
  if constexpr (is_wide<T>) {
    port[i] = value;
  } else if constexpr (sizeof(T) == 8) {
    port = i == 0 ? value : (port & 0xffffffffu) | (uint64_t{value} << 32);
  } else {
    port = value;
  }
}
/// `bits` (at most 16) bits at position `lo`.
template <class T>
inline uint32_t field(const T& port, uint32_t lo, uint32_t bits) {
  const uint32_t i = lo / 32, shift = lo % 32;
  uint64_t v = word(port, i);
  if (shift + bits > 32) v |= uint64_t{word(port, i + 1)} << 32;
  return static_cast<uint32_t>(v >> shift) & ((1u << bits) - 1);
}
/// Copies `n` words.
template <class T>
inline void copy(const T& port, uint32_t* to, uint32_t n) {
  for (uint32_t i = 0; i < n; ++i) to[i] = word(port, i);
}
}  // namespace ports

template <class V>
class RtlSimImpl final : public RtlSim {
 public:
  explicit RtlSimImpl(const isa::Config& config) : config_(config), lanes_(config.lanes), axi_words_(config.axi_bits / 32) {
#ifdef MASKWORK_TRACE
    context_.traceEverOn(true);
#endif
    top_ = std::make_unique<V>(&context_);
    top_->clk_i = 0;
    top_->rst_i = 1;
    top_->eval();
  }
  ~RtlSimImpl() override {
#ifdef MASKWORK_TRACE
    if (fst_) fst_->close();
#endif
    // No final(): after a failed assertion the model must not be evaluated again.
  }

  const isa::Config& config() const override { return config_; }

  void settle() override {
    V& t = *top_;
    t.rst_i = rst;
    t.csr_awvalid_i = csr.awvalid;
    t.csr_awaddr_i = csr.awaddr;
    t.csr_wvalid_i = csr.wvalid;
    t.csr_wdata_i = csr.wdata;
    t.csr_wstrb_i = csr.wstrb;
    t.csr_bready_i = csr.bready;
    t.csr_arvalid_i = csr.arvalid;
    t.csr_araddr_i = csr.araddr;
    t.csr_rready_i = csr.rready;
    t.axi_awready_i = axi.awready;
    t.axi_wready_i = axi.wready;
    t.axi_arready_i = axi.arready;
    t.axi_bvalid_i = axi.bvalid;
    t.axi_bid_i = axi.bid;
    t.axi_bresp_i = axi.bresp;
    t.axi_rvalid_i = axi.rvalid;
    if (axi.rvalid) {
      t.axi_rid_i = axi.rid;
      t.axi_rresp_i = axi.rresp;
      t.axi_rlast_i = axi.rlast;
      for (uint32_t i = 0; i < axi_words_; ++i) ports::set_word(t.axi_rdata_i, i, axi.rdata[i]);
    }
    t.clk_i = 0;
    t.eval();
    dump();

    csr.awready = t.csr_awready_o;
    csr.wready = t.csr_wready_o;
    csr.bvalid = t.csr_bvalid_o;
    csr.bresp = t.csr_bresp_o;
    csr.arready = t.csr_arready_o;
    csr.rvalid = t.csr_rvalid_o;
    csr.rresp = t.csr_rresp_o;
    csr.rdata = t.csr_rdata_o;
    axi.bready = t.axi_bready_o;
    axi.rready = t.axi_rready_o;
    axi.aw.valid = t.axi_awvalid_o;
    if (axi.aw.valid)
      axi.aw = {true, t.axi_awid_o, t.axi_awaddr_o, t.axi_awlen_o, t.axi_awsize_o, t.axi_awburst_o};
    axi.ar.valid = t.axi_arvalid_o;
    if (axi.ar.valid)
      axi.ar = {true, t.axi_arid_o, t.axi_araddr_o, t.axi_arlen_o, t.axi_arsize_o, t.axi_arburst_o};
    axi.w.valid = t.axi_wvalid_o;
    if (axi.w.valid) {
      axi.w.last = t.axi_wlast_o;
      axi.w.strobe = t.axi_wstrb_o;
      ports::copy(t.axi_wdata_o, axi.w.data.data(), axi_words_);
    }
  }

  void edge() override {
    top_->clk_i = 1;
    top_->eval();
    dump();
  }

  bool group_ended() const override { return top_->rec_gend_valid_o; }

  bool records(RecordSink& sink) override {
    const V& t = *top_;
    // One test for the usual cycle without anything; the order below is the contract's.
    const bool frequent = t.rec_r_valid_o | t.rec_f_valid_o | t.rec_rm_valid_o | t.rec_ms_valid_o | t.rec_mg_valid_o | t.rec_w_valid_o;
    const bool rare = t.rec_launch_valid_o | t.rec_bar_valid_o | t.rec_gend_valid_o | t.rec_fault_valid_o;
    if (!(frequent | rare)) return false;
    if (t.rec_launch_valid_o)
      sink.launch({t.rec_launch_slot_o, {t.rec_launch_x_o, t.rec_launch_y_o, t.rec_launch_z_o}, t.rec_launch_number_o});
    if (t.rec_rm_valid_o) {
      const uint32_t base = t.rec_rm_beat_o * lanes_;
      retire_.wave = t.rec_rm_wave_o;
      retire_.seq = t.rec_rm_seq_o;
      retire_.pc = t.rec_rm_pc_o;
      retire_.beat = t.rec_rm_beat_o;
      retire_.first = t.rec_rm_first_o;
      retire_.last = t.rec_rm_last_o;
      retire_.active = uint32_t{t.rec_rm_active_o} << base;
      retire_.executed = uint32_t{t.rec_rm_exec_o} << base;
      retire_.dst_en = false;
      retire_.cc_en = false;
      sink.retire(retire_);
    }
    if (t.rec_ms_valid_o) {
      memory(true, t.rec_ms_wave_o, t.rec_ms_seq_o, t.rec_ms_first_o, t.rec_ms_comp_o, t.rec_ms_beat_o, t.rec_ms_mask_o, t.rec_ms_addr_o, t.rec_ms_data_o,
             t.rec_ms_old_o);
      sink.memory(memory_);
    }
    if (t.rec_mg_valid_o) {
      memory(false, t.rec_mg_wave_o, t.rec_mg_seq_o, t.rec_mg_first_o, t.rec_mg_comp_o, t.rec_mg_beat_o, t.rec_mg_mask_o, t.rec_mg_addr_o, t.rec_mg_data_o,
             t.rec_mg_old_o);
      sink.memory(memory_);
    }
    if (t.rec_w_valid_o) {
      const uint32_t base = t.rec_w_beat_o * lanes_;
      load_.wave = t.rec_w_wave_o;
      load_.seq = t.rec_w_seq_o;
      load_.component = t.rec_w_comp_o;
      load_.mask = uint32_t{t.rec_w_mask_o} << base;
      load_.reg = t.rec_w_reg_o;
      ports::copy(t.rec_w_data_o, &load_.data[base], lanes_);
      sink.load(load_);
    }
    if (t.rec_r_valid_o) {
      const uint32_t base = t.rec_r_beat_o * lanes_;
      retire_.wave = t.rec_r_wave_o;
      retire_.seq = t.rec_r_seq_o;
      retire_.pc = t.rec_r_pc_o;
      retire_.beat = t.rec_r_beat_o;
      retire_.first = t.rec_r_first_o;
      retire_.last = t.rec_r_last_o;
      retire_.active = uint32_t{t.rec_r_active_o} << base;
      retire_.executed = uint32_t{t.rec_r_exec_o} << base;
      retire_.dst_en = t.rec_r_dst_en_o;
      retire_.cc_en = t.rec_r_cc_en_o;
      ports::copy(t.rec_r_data_o, &retire_.data[base], lanes_);
      if (retire_.cc_en)
        for (uint32_t i = 0; i < lanes_; ++i) retire_.flags[base + i] = static_cast<uint8_t>(ports::field(t.rec_r_flags_o, 4 * i, 4));
      sink.retire(retire_);
    }
    if (t.rec_f_valid_o) {
      flow();
      sink.flow(flow_);
    }
    if (t.rec_bar_valid_o) sink.barrier_release(t.rec_bar_slot_o);
    if (t.rec_gend_valid_o) sink.group_end(t.rec_gend_slot_o);
    if (t.rec_fault_valid_o)
      sink.fault(static_cast<isa::Fault>(t.rec_fault_code_o), t.rec_fault_wave_o, t.rec_fault_pc_o, t.rec_fault_lanes_o);
    return true;
  }

  void open_trace([[maybe_unused]] const std::string& file) override {
#ifdef MASKWORK_TRACE
    fst_ = std::make_unique<VerilatedFstC>();
    top_->trace(fst_.get(), 99);
    fst_->open(file.c_str());
    if (!fst_->isOpen()) throw std::runtime_error("cannot write waveforms to '" + file + "'");
#else
    throw std::logic_error("this simulation was made without tracing");
#endif
  }

 private:
  void dump() {
#ifdef MASKWORK_TRACE
    ++time_;
    if (tracing && fst_) fst_->dump(time_);
#endif
  }

  template <class Mask, class Data>
  void memory(bool shared, uint32_t wave, uint32_t seq, bool first, uint32_t component, uint32_t beat, const Mask& mask, const Data& address, const Data& data,
              const Data& old_value) {
    const uint32_t base = beat * lanes_;
    memory_.shared = shared;
    memory_.wave = wave;
    memory_.seq = seq;
    memory_.first = first;
    memory_.component = component;
    memory_.mask = uint32_t{mask} << base;
    ports::copy(address, &memory_.address[base], lanes_);
    ports::copy(data, &memory_.data[base], lanes_);
    ports::copy(old_value, &memory_.old_value[base], lanes_);
  }

  void flow() {
    const V& t = *top_;
    flow_.wave = t.rec_f_wave_o;
    flow_.seq = t.rec_f_seq_o;
    flow_.pc = t.rec_f_pc_o;
    flow_.jump = t.rec_f_jump_o;
    flow_.next_pc = t.rec_f_next_o;
    flow_.db = t.rec_f_db_o;
    flow_.dl = t.rec_f_dl_o;
    flow_.dc = t.rec_f_dc_o;
    for (uint32_t i = 0; i < 32; ++i) {
      flow_.state[i] = static_cast<uint8_t>(ports::field(t.rec_f_state_o, 3 * i, 3));
      flow_.level[i] = static_cast<uint16_t>(ports::field(t.rec_f_level_o, 11 * i, 11));
    }
    flow_.frame = static_cast<FlowRecord::Frame>(t.rec_f_frame_o);
    flow_.frame_a = t.rec_f_frame_a_o;
    flow_.frame_b = t.rec_f_frame_b_o;
    flow_.frame_c = t.rec_f_frame_c_o;
  }

  const isa::Config config_;
  const uint32_t lanes_, axi_words_;
  VerilatedContext context_;
  std::unique_ptr<V> top_;
  MemoryRecord memory_;
  LoadRecord load_;
  RetireRecord retire_;
  FlowRecord flow_;
#ifdef MASKWORK_TRACE
  std::unique_ptr<VerilatedFstC> fst_;
  uint64_t time_ = 0;
#endif
};

}  // namespace maskwork::verif
