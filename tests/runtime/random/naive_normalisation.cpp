// SPDX-License-Identifier: Apache-2.0
// Operations that relate the elements of one slice along an axis, or of one feature map, to one another.
#include <algorithm>

#include "naive_rows.hpp"

namespace avocet::random_models::naive {
namespace {

/// Calls body with the flat indices of each slice along `axis`.
void for_slices(const Dims& dims, size_t axis, const std::function<void(const std::vector<size_t>&)>& body) {
  Dims first = dims;
  first[axis] = 1;
  for_each_position(first, [&](const Dims& at, size_t) {
    std::vector<size_t> slice;
    Dims position = at;
    for (position[axis] = 0; position[axis] < dims[axis]; ++position[axis]) slice.push_back(flat_index(dims, position));
    body(slice);
  });
}

}  // namespace

void softmax(Call& call) {
  const Value& in = call.in(0);
  Expected& out = call.out(0);
  out.resize(in.dims);
  const double beta = call.number(1, 1);
  for_slices(in.dims, Call::axis_of(call.integer(2, -1), in.dims.size()), [&](const std::vector<size_t>& slice) {
    double highest = -std::numeric_limits<double>::infinity(), sum = 0;
    for (const size_t i : slice) highest = std::max(highest, in.real[i]);
    for (const size_t i : slice) sum += std::exp((in.real[i] - highest) * beta);
    for (const size_t i : slice) {
      out.real[i] = std::exp((in.real[i] - highest) * beta) / sum;
      // The exponent (x - max) * beta is rounded to float32 before exp() makes an absolute error of it a relative one.
      const double exponent = std::fabs((in.real[i] - highest) * beta);
      out.set_slack(i, out.real[i] * (exponent * 3 + static_cast<double>(slice.size())) * 0x1p-24);
    }
  });
}

void log_softmax(Call& call) {
  const Value& in = call.in(0);
  Expected& out = call.out(0);
  out.resize(in.dims);
  const double beta = call.number(1, 1);
  for_slices(in.dims, Call::axis_of(call.integer(2, -1), in.dims.size()), [&](const std::vector<size_t>& slice) {
    double highest = -std::numeric_limits<double>::infinity(), sum = 0, largest = 0;
    for (const size_t i : slice) {
      highest = std::max(highest, in.real[i] * beta);
      largest = std::max(largest, std::fabs(in.real[i] * beta));
    }
    for (const size_t i : slice) sum += std::exp(in.real[i] * beta - highest);
    for (const size_t i : slice) {
      out.real[i] = in.real[i] * beta - highest - std::log(sum);
      out.set_slack(i, (largest * 4 + static_cast<double>(slice.size())) * 0x1p-24);
    }
  });
}

void l2_normalization(Call& call) {
  const Value& in = call.in(0);
  Expected& out = call.out(0);
  out.resize(in.dims);
  for_slices(in.dims, Call::axis_of(call.integer(1, -1), in.dims.size()), [&](const std::vector<size_t>& slice) {
    double squares = 0;
    for (const size_t i : slice) squares += in.real[i] * in.real[i];
    for (const size_t i : slice) {
      out.real[i] = squares == 0 ? 0 : in.real[i] / std::sqrt(squares);
      // Implementations may keep the divisor away from zero: float32 squares of tiny numbers are no guide.
      if (squares != 0 && squares < 1e-10) out.leave_open(i);
    }
  });
}

void local_response_normalization(Call& call) {
  const Value& in = call.in(0);
  Expected& out = call.out(0);
  out.resize(in.dims);
  const int64_t radius = call.integer(1);
  const double bias = call.number(2), alpha = call.number(3), beta = call.number(4);
  for_slices(in.dims, Call::axis_of(call.integer(5, -1), in.dims.size()), [&](const std::vector<size_t>& slice) {
    const int64_t length = static_cast<int64_t>(slice.size());
    for (int64_t d = 0; d < length; ++d) {
      double squares = 0;
      for (int64_t k = std::max<int64_t>(0, d - radius); k < std::min(length, d + radius + 1); ++k) {
        squares += in.real[slice[k]] * in.real[slice[k]];
      }
      const size_t i = slice[d];
      const double base = bias + alpha * squares;
      out.real[i] = in.real[i] / std::pow(base, beta);
      // Cancellation between bias and alpha * squares, made larger by the exponent.
      const double doubt = (std::fabs(bias) + std::fabs(alpha * squares)) * static_cast<double>(length + 2) * 0x1p-24 / std::fabs(base);
      out.set_slack(i, std::fabs(out.real[i] * beta) * doubt);
    }
  });
}

void instance_normalization(Call& call) {
  const Value& in = call.in(0);
  const bool nchw = call.flag(4);
  const ImageView image{in.dims, nchw};
  Expected& out = call.out(0);
  out.resize(in.dims);
  const double gamma = call.number(1), beta = call.number(2), epsilon = call.number(3);
  const double count = static_cast<double>(image.height()) * image.width();
  for (uint32_t n = 0; n < image.batches(); ++n) {
    for (uint32_t c = 0; c < image.channels(); ++c) {
      double sum = 0, squares = 0, largest = 0;
      const auto for_pixels = [&](const auto& body) {
        for (uint32_t h = 0; h < image.height(); ++h) {
          for (uint32_t w = 0; w < image.width(); ++w) body(image.index(n, h, w, c));
        }
      };
      for_pixels([&](size_t i) {
        sum += in.real[i];
        largest = std::max(largest, std::fabs(in.real[i]));
      });
      const double mean = sum / count;
      for_pixels([&](size_t i) { squares += (in.real[i] - mean) * (in.real[i] - mean); });
      const double deviation = std::sqrt(squares / count + epsilon);
      for_pixels([&](size_t i) {
        const double normalised = (in.real[i] - mean) / deviation;
        out.real[i] = normalised * gamma + beta;
        const double doubt = largest * (count + 2) * 0x1p-24 / deviation;  // of the mean, in deviations
        out.set_slack(i, std::fabs(gamma) * doubt * (1 + std::fabs(normalised) * (1 + largest / deviation)) +
                             std::fabs(beta) * 0x1p-23);
      });
    }
  }
}

}  // namespace avocet::random_models::naive
