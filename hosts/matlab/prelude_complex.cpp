// Builtins written in the language: order of complex numbers, by abs and then by arg.
#include "prelude.hpp"

namespace vr::matlab {

// Octave holds values without imaginary parts as real ones, which have another order: they are left to it. So are
// moduli that are nearly equal, whose order is a matter of rounding, unless the numbers are of the same two parts.
const char* const kComplexPrelude = R"(
function z = vr__product_again(p, q, narrowed)
  % p .* q where a part of the product is not finite, by the rules of C's annex G, as Octave's library computes it. What
  % has no imaginary parts may be real there, if `narrowed`.
  if ~isscalar(p) && ~isscalar(q) && ~size_equal(p, q), error('product'); end
  if isscalar(p), r = zeros(size(q)); else, r = zeros(size(p)); end
  s = r;
  if narrowed && (all(imag(p(:)) == 0) || all(imag(q(:)) == 0)), error('product'); end
  for k = 1:numel(r)
    if isscalar(p), x = p; else, x = p(k); end
    if isscalar(q), y = q; else, y = q(k); end
    a = real(x); b = imag(x); c = real(y); d = imag(y);
    u = a * c; v = b * d; w = a * d; t = b * c;
    r(k) = u - v; s(k) = w + t;
    if isnan(r(k)) && isnan(s(k))
      again = false;
      if isinf(a) || isinf(b)
        if isinf(a), a = sign(a); else, a = 0; end
        if isinf(b), b = sign(b); else, b = 0; end
        if isnan(c), c = 0; end
        if isnan(d), d = 0; end
        again = true;
      end
      if isinf(c) || isinf(d)
        if isinf(c), c = sign(c); else, c = 0; end
        if isinf(d), d = sign(d); else, d = 0; end
        if isnan(a), a = 0; end
        if isnan(b), b = 0; end
        again = true;
      end
      if ~again && (isinf(u) || isinf(v) || isinf(w) || isinf(t))
        if isnan(a), a = 0; end
        if isnan(b), b = 0; end
        if isnan(c), c = 0; end
        if isnan(d), d = 0; end
        again = true;
      end
      if again
        r(k) = Inf * (a * c - b * d);
        s(k) = Inf * (a * d + b * c);
      end
    end
  end
  z = vr__complex(r, s);
end
function t = vr__same_modulus(y, z)
  a = abs(real(y)); b = abs(imag(y)); c = abs(real(z)); d = abs(imag(z));
  t = (a == c && b == d) || (a == d && b == c);
  n = double(a) ^ 2 + double(b) ^ 2;  % or of whole numbers with the same modulus, which is whole
  if ~t && n < 2^24 && all([a b c d] == fix([a b c d]))
    t = n == double(c) ^ 2 + double(d) ^ 2 && sqrt(n) == fix(sqrt(n));
  end
end
function g = vr__angle(z)
  g = arg(z);
  if g == -pi, g = -g; end
end
function a = vr__moduli(z)
  a = abs(z);
  if isempty(z) || all(imag(z(:)) == 0), error('real numbers'); end
  if any(isnan(a(:))), error('NaN'); end
end
function s = vr__complex_order(y, z)
  a = abs(y); b = abs(z);
  s = 0;
  if a ~= b
    if isa(a, 'single'), near = 1e-5; else, near = 1e-13; end
    if double(abs(a - b)) <= near * double(max(a, b)), error('nearly equal'); end
    if a < b, s = -1; else, s = 1; end
  else
    if ~vr__same_modulus(y, z), error('nearly equal'); end
    g = vr__angle(y); h = vr__angle(z);
    if g < h, s = -1; elseif g > h, s = 1; end
  end
end
function [m, k] = vr__complex_extreme(z, largest)
  a = vr__moduli(z);
  k = 1;
  for i = 2:numel(a)
    s = vr__complex_order(z(i), z(k));
    if (largest && s > 0) || (~largest && s < 0), k = i; end
  end
  m = z(k);
end
function [m, k] = vr__complex_extremes(z, largest)
  a = vr__moduli(z);
  k = zeros(1, size(z, 2));
  m = z(1, :);
  for j = 1:size(z, 2)
    p = 1;
    for i = 2:size(z, 1)
      s = vr__complex_order(z(i, j), z(p, j));
      if (largest && s > 0) || (~largest && s < 0), p = i; end
    end
    k(j) = p;
    m(j) = z(p, j);
  end
end
function [s, p] = vr__complex_sorted(z, descending)
  a = vr__moduli(z);
  if descending, [b, p] = sort(a, 'descend'); else, [b, p] = sort(a); end
  for i = 2:numel(a)
    o = vr__complex_order(z(p(i - 1)), z(p(i)));
    j = i;
    while j > 1 && b(j - 1) == b(i)
      o = vr__complex_order(z(p(j - 1)), z(p(j)));
      if (descending && o >= 0) || (~descending && o <= 0), break; end
      t = p(j); p(j) = p(j - 1); p(j - 1) = t;
      j = j - 1;
    end
  end
  s = z(p);
end
function [s, p] = vr__complex_sorted_columns(z, descending)
  s = z;
  p = zeros(size(z));
  for j = 1:size(z, 2)
    [c, q] = vr__complex_sorted(z(:, j), descending);
    for i = 1:numel(q)
      s(i, j) = c(i);
      p(i, j) = q(i);
    end
  end
end
)";

}  // namespace vr::matlab
