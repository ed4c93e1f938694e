// Builtins written in the language: areas, interpolation, polynomials, bits, number theory.
#include "prelude.hpp"

namespace vr::matlab {

// Calls that these do not cover bail out: error() does that. Where a size decides about orientation, it is asked for
// first, so that the shape of the result is known when the shape of the argument is.
const char* const kNumericPrelude = R"(
function ok = vr__assert_near(a, b, tol)
  ok = true;
  if ndims(a) ~= ndims(b) || any(size(a) ~= size(b)), error('sizes'); end
  x = a(:);
  y = b(:);
  for k = 1:numel(x)
    d = abs(x(k) - y(k));
    if tol < 0, bound = -tol * abs(y(k)); else bound = tol; end
    if ~(d <= bound) || ~(abs(y(k)) < Inf), error('assert'); end
  end
end
function r = trapz(x, y, dim)
  if nargin == 1
    r = trapz(1, x, 0);
  elseif nargin == 2 && isscalar(y) && ~isscalar(x)
    r = trapz(1, x, y);
  elseif nargin == 2
    r = trapz(x, y, 0);
  else
    if ndims(y) > 2 || isempty(y) || isscalar(y) || ~isfloat(y) || ~isvector(x) || dim > 2, error('trapz'); end
    if isrow(y) || dim == 2
      n = columns(y);
      if dim == 1 || (~isscalar(x) && numel(x) ~= n), error('trapz'); end
      r = zeros(rows(y), 1);
      for k = 2:n
        if isscalar(x), h = x; else, h = x(k) - x(k-1); end
        r = r + h * (y(:, k) + y(:, k-1));
      end
      r = r / 2;
    else
      n = rows(y);
      if ~isscalar(x) && numel(x) ~= n, error('trapz'); end
      r = zeros(1, columns(y));
      for k = 2:n
        if isscalar(x), h = x; else, h = x(k) - x(k-1); end
        r = r + h * (y(k, :) + y(k-1, :));
      end
      r = r / 2;
    end
  end
end
function r = cumtrapz(x, y)
  if nargin == 1
    r = cumtrapz(1, x);
  else
    if ndims(y) > 2 || isempty(y) || isscalar(y) || ~isa(y, 'double') || ~isvector(x), error('cumtrapz'); end
    n = rows(y);
    if isrow(y), n = columns(y); end
    if ~isscalar(x) && numel(x) ~= n, error('cumtrapz'); end
    r = zeros(size(y));
    for k = 2:n
      if isscalar(x), h = x; else, h = x(k) - x(k-1); end
      if isrow(y)
        r(k) = r(k-1) + h * (y(k) + y(k-1)) / 2;
      else
        r(k, :) = r(k-1, :) + h * (y(k, :) + y(k-1, :)) / 2;
      end
    end
  end
end
function r = diff(x, order, dim)
  if nargin < 2, order = 1; end
  if isempty(order), order = 1; end
  if ndims(x) > 3 || ~isscalar(order) || order < 1 || order ~= fix(order) || islogical(x), error('diff'); end
  if nargin < 3
    dim = 1;
    if size(x, 1) == 1, dim = 2; end
    if ndims(x) == 3 && size(x, 1) < 2, error('diff'); end
  end
  r = x;
  if ndims(x) == 3
    if dim ~= 1 && dim ~= 2 && dim ~= 3, error('diff'); end
    if order >= size(x, dim), error('diff'); end
    for k = 1:order
      n = size(r, dim);
      if dim == 1
        r = r(2:n, :, :) - r(1:n-1, :, :);
      elseif dim == 2
        r = r(:, 2:n, :) - r(:, 1:n-1, :);
      else
        r = r(:, :, 2:n) - r(:, :, 1:n-1);
      end
    end
  elseif dim == 1
    if order >= rows(x), error('diff'); end
    for k = 1:order
      n = rows(r);
      r = r(2:n, :) - r(1:n-1, :);
    end
  elseif dim == 2
    if order >= columns(x), error('diff'); end
    for k = 1:order
      n = columns(r);
      r = r(:, 2:n) - r(:, 1:n-1);
    end
  else
    error('diff');
  end
end
function r = interp1(x, y, xi, method, outside)
  if nargin == 2
    r = interp1(1:numel(x), x, y);
  else
    if nargin > 3, if ~strcmp(method, 'linear'), error('interp1'); end, end
    n = numel(x);
    if ~isvector(x) || ~isvector(y) || numel(y) ~= n || n < 2 || isempty(xi), error('interp1'); end
    if ~isa(x, 'double') || ~isa(y, 'double') || ~isa(xi, 'double'), error('interp1'); end
    if x(1) > x(n)
      x = x(n:-1:1);
      y = y(n:-1:1);
    end
    for k = 2:n
      if ~(x(k) > x(k-1)), error('interp1'); end
    end
    r = zeros(size(xi));
    for k = 1:numel(xi)
      v = xi(k);
      within = v >= x(1) && v <= x(n);
      if ~within && nargin < 5, error('interp1'); end
      number = 0;
      if nargin == 5
        if ischar(outside)
          if ~strcmp(outside, 'extrap') || isnan(v), error('interp1'); end
        else
          number = outside;
        end
      end
      use = within;
      if nargin == 5, use = within || ischar(outside); end
      if use
        low = 1;
        high = n;
        while high - low > 1
          middle = floor((low + high) / 2);
          if v >= x(middle), low = middle; else, high = middle; end
        end
        r(k) = (y(low + 1) - y(low)) / (x(low + 1) - x(low)) * (v - x(low)) + y(low);
      else
        r(k) = number;
      end
    end
  end
end
function [p, s, mu] = polyfit(x, y, n)
  m = numel(x);
  if numel(y) ~= m || isempty(x) || ~isscalar(n) || n < 0 || n ~= fix(n) || m <= n || islogical(n), error('polyfit'); end
  t = x(:);
  if nargout > 2
    mu = [mean(t), std(t)];
    t = (t - mu(1)) / mu(2);
  end
  A = ones(m, n + 1);
  for j = n:-1:1
    A(:, j) = A(:, j + 1) .* t;
  end
  if nargout < 2
    [q, r] = qr(A, 0);
    p = (r \ (q' * y(:))).';
  else
    [q, r, k] = vr__pivoted_qr(A);
    c = r \ (q' * y(:));
    a = c;
    for j = 1:n + 1
      a(k(j)) = c(j);
    end
    back = zeros(1, n + 1);
    for j = 1:n + 1
      back(k(j)) = j;
    end
    v = A * a;
    if isrow(y), s.yf = v.'; else, s.yf = v; end
    s.X = A;
    w = inv(r' * r);
    s.C = w(k, k);
    s.R = r;
    s.df = m - n - 1;
    s.normr = norm(v - y(:));
    p = a.';
  end
end
function [q, r, k] = vr__pivoted_qr(A)
  if ~isreal(A) || ~isa(A, 'double') || isempty(A) || any(~isfinite(A(:))), error('qr'); end
  m = rows(A);
  n = columns(A);
  if m < n, error('qr'); end
  k = 1:n;
  r = A;
  q = eye(m);
  for j = 1:n
    best = j;
    most = -1;
    for c = j:n
      s = norm(r(j:m, c));
      if s > most * (1 + 1e-12), most = s; best = c; end
    end
    if most == 0, error('qr'); end
    if best ~= j
      h = r(:, j);
      r(:, j) = r(:, best);
      r(:, best) = h;
      h = k(j);
      k(j) = k(best);
      k(best) = h;
    end
    if j < m
      v = r(j:m, j);
      size_of = norm(v);
      if v(1) < 0, v(1) = v(1) - size_of; else, v(1) = v(1) + size_of; end
      v = v / norm(v);
      r(j:m, :) = r(j:m, :) - 2 * v * (v' * r(j:m, :));
      q(:, j:m) = q(:, j:m) - 2 * (q(:, j:m) * v) * v';
      for c = j + 1:m
        r(c, j) = 0;
      end
    end
  end
  q = q(:, 1:n);
  r = r(1:n, :);
end
function r = roots(p)
  n = numel(p);
  if ~isvector(p) || n < 2 || any(~isfinite(p)) || p(1) == 0 || p(n) == 0, error('roots'); end
  A = zeros(n - 1);
  for k = 1:n - 1
    A(1, k) = -p(k + 1) / p(1);
    if k > 1, A(k, k - 1) = 1; end
  end
  r = eig(A);
end
function r = polyval(p, x)
  if isempty(p) || isempty(x) || ~isvector(p), error('polyval'); end
  r = repmat(p(1), size(x));
  for k = 2:numel(p)
    r = r .* x + p(k);
  end
end
function r = polyder(p)
  n = numel(p);
  if ~isvector(p) || n < 2 || p(1) == 0 || nargout > 1, error('polyder'); end
  r = zeros(1, n - 1);
  for k = 1:n - 1
    r(k) = p(k) * (n - k);
  end
end
function r = polyint(p)
  n = numel(p);
  if ~isvector(p) || n < 1, error('polyint'); end
  r = zeros(1, n + 1);
  for k = 1:n
    r(k) = p(k) / (n - k + 1);
  end
end
function r = conv2(a, b, shape)
  if ndims(a) > 2 || ndims(b) > 2 || isempty(a) || isempty(b) || ~isa(a, 'double') || ~isa(b, 'double'), error('conv2'); end
  m = rows(b);
  n = columns(b);
  top = 0;
  left = 0;
  height = rows(a) + m - 1;
  width = columns(a) + n - 1;
  if nargin > 2
    if strcmp(shape, 'same')
      top = ceil((m - 1) / 2);
      left = ceil((n - 1) / 2);
      height = rows(a);
      width = columns(a);
    elseif strcmp(shape, 'valid')
      top = m - 1;
      left = n - 1;
      height = rows(a) - m + 1;
      width = columns(a) - n + 1;
      if height < 1 || width < 1, error('conv2'); end
    elseif ~strcmp(shape, 'full')
      error('conv2');
    end
  end
  r = zeros(height, width);
  for j = 1:width
    for i = 1:height
      s = 0;
      for q = max(1, j + left - columns(a) + 1):min(n, j + left)
        for p = max(1, i + top - rows(a) + 1):min(m, i + top)
          s = s + b(p, q) * a(i + top - p + 1, j + left - q + 1);
        end
      end
      r(i, j) = s;
    end
  end
end
function r = beta(a, b)
  if ~isreal(a) || ~isreal(b) || any(a(:) <= 0) || any(b(:) <= 0), error('beta'); end
  r = exp(gammaln(a) + gammaln(b) - gammaln(a + b));
end
function r = betaln(a, b)
  if ~isreal(a) || ~isreal(b) || any(a(:) <= 0) || any(b(:) <= 0), error('betaln'); end
  r = gammaln(a) + gammaln(b) - gammaln(a + b);
end
function r = nthroot(x, n)
  if ~isscalar(n) || ~isa(x, 'double') || n ~= fix(n) || n == 0 || isinf(n), error('nthroot'); end
  if mod(n, 2) == 0 && any(x(:) < 0), error('nthroot'); end
  if any(x(:) == 0) || any(~isfinite(x(:))), error('nthroot'); end
  y = sign(x) .* abs(x) .^ (1 / n);
  r = ((x ./ (y .^ (n - 1))) + y * (n - 1)) / n;
end
function r = factorial(n)
  if any(n(:) < 0) || any(n(:) ~= fix(n(:))) || any(n(:) > 170) || ~isa(n, 'double'), error('factorial'); end
  r = round(gamma(n + 1));
end
function r = nchoosek(n, k)
  if ~isscalar(n) || ~isscalar(k) || ~isa(n, 'double') || ~isa(k, 'double'), error('nchoosek'); end
  if n ~= fix(n) || k ~= fix(k) || k < 0 || n < k || n > 2 ^ 40, error('nchoosek'); end
  k = min(k, n - k);
  r = 1;
  for i = 1:k
    r = r * (n - k + i);
    if r > 2 ^ 52, error('nchoosek'); end
    r = r / i;
  end
end
function r = primes(n)
  if ~isscalar(n) || ~isa(n, 'double') || ~(n >= 2) || n > 1e8, error('primes'); end
  n = floor(n);
  out = false(1, n);
  out(1) = true;
  for i = 2:floor(sqrt(n))
    if ~out(i)
      for j = i * i:i:n
        out(j) = true;
      end
    end
  end
  r = find(~out);
end
function r = isprime(x)
  if ~isa(x, 'double') || any(~(x(:) >= 0 & x(:) <= 2 ^ 52)) || any(x(:) ~= fix(x(:))), error('isprime'); end
  r = x > 1;
  for k = 1:numel(x)
    v = x(k);
    if v > 3
      if mod(v, 2) == 0, r(k) = false; end
      d = 3;
      while d * d <= v && r(k)
        if mod(v, d) == 0, r(k) = false; end
        d = d + 2;
      end
    end
  end
end
function r = gcd(a, b)
  if isscalar(a) && isscalar(b)
    r = vr__gcd(a, b);
  elseif isscalar(a)
    r = zeros(size(b));
    for k = 1:numel(b)
      r(k) = vr__gcd(a, b(k));
    end
  else
    if ~isscalar(b) && ~size_equal(a, b), error('gcd'); end
    r = zeros(size(a));
    for k = 1:numel(a)
      if isscalar(b), r(k) = vr__gcd(a(k), b); else, r(k) = vr__gcd(a(k), b(k)); end
    end
  end
end
function r = vr__gcd(a, b)
  if ~isa(a, 'double') || ~isa(b, 'double'), error('gcd'); end
  if a < 0 || b < 0 || a ~= fix(a) || b ~= fix(b) || a > 2 ^ 53 || b > 2 ^ 53, error('gcd'); end
  while b ~= 0
    r = mod(a, b);
    a = b;
    b = r;
  end
  r = a;
end
function r = lcm(a, b)
  g = gcd(a, b);
  if any(g(:) == 0), error('lcm'); end
  r = a ./ g .* b;
  if any(r(:) > 2 ^ 53), error('lcm'); end
end
function r = unwrap(x, tol)
  if ~isvector(x) || isempty(x) || ~isa(x, 'double') || ~isreal(x) || any(~isfinite(x(:))), error('unwrap'); end
  if nargin < 2, tol = pi; end
  if ~isscalar(tol), error('unwrap'); end
  tol = abs(tol);
  r = x;
  s = 0;
  for k = 2:numel(x)
    d = x(k - 1) - x(k);
    p = round(abs(d) / (2 * pi)) * (2 * pi);
    if d > tol
      s = s + p;
    elseif d < -tol
      s = s - p;
    end
    r(k) = x(k) + s;
  end
end
function r = polyarea(x, y)
  if ~isvector(x) || ~size_equal(x, y) || isempty(x) || ~isreal(x) || ~isreal(y), error('polyarea'); end
  n = numel(x);
  s = 0;
  for k = 1:n
    after = k + 1;
    if k == n, after = 1; end
    before = k - 1;
    if k == 1, before = n; end
    s = s + x(k) * (y(after) - y(before));
  end
  r = abs(s) / 2;
end
function r = nextpow2(x)
  if ~isscalar(x) || ~isa(x, 'double') || ~isfinite(x) || x == 0, error('nextpow2'); end
  x = abs(x);
  r = 0;
  p = 1;
  while p < x
    p = p * 2;
    r = r + 1;
  end
  while p / 2 >= x
    p = p / 2;
    r = r - 1;
  end
end
function r = bitshift(a, n)
  if ~isscalar(n) || n ~= fix(n) || any(a(:) < 0) || abs(n) > 52 || isa(a, 'int64') || isa(a, 'uint64'), error('bitshift'); end
  if n <= 0
    r = floor(double(a) / 2 ^ -n);
  else
    r = double(a) * 2 ^ n;
  end
  if any(r(:) >= 2 ^ 53) || any(r(:) ~= fix(r(:))) || isa(a, 'single') || islogical(a), error('bitshift'); end
  if isinteger(a)
    most = double(intmax(class(a)));
    if n > 0
      if intmin(class(a)) < 0 && any(r(:) > most), error('bitshift'); end
      r = mod(r, most + 1);
    end
    r = cast(r, class(a));
  end
end
function r = bitcmp(a)
  if ~isinteger(a), error('bitcmp'); end
  if intmin(class(a)) < 0, error('bitcmp'); end
  r = intmax(class(a)) - a;
end
function r = bitget(a, n)
  if ~isscalar(n) || ~isa(a, 'double') || n < 1 || n > 53 || n ~= fix(n), error('bitget'); end
  r = bitand(a, 2 ^ (n - 1)) ~= 0;
end
function r = bitset(a, n, v)
  if nargin < 3, v = true; end
  if ~isscalar(n) || ~isscalar(v) || ~isa(a, 'double') || n < 1 || n > 53 || n ~= fix(n), error('bitset'); end
  bit = 2 ^ (n - 1);
  r = a - bitand(a, bit);
  if v ~= 0
    r = r + bit;
  end
end
function r = idivide(a, b, how)
  if nargin < 3, how = 'fix'; end
  if isa(a, 'int64') || isa(a, 'uint64') || isa(b, 'int64') || isa(b, 'uint64'), error('idivide'); end
  if ~isinteger(a) && ~isinteger(b), error('idivide'); end
  if isinteger(a) && isinteger(b)
    if ~strcmp(class(a), class(b)), error('idivide'); end
  end
  if ~isinteger(a)
    if any(a(:) ~= fix(a(:))), error('idivide'); end
  end
  if ~isinteger(b)
    if any(b(:) ~= fix(b(:))), error('idivide'); end
  end
  if any(b(:) == 0), error('idivide'); end
  q = double(a) ./ double(b);
  how = lower(how);
  if strcmp(how, 'fix')
    if any(a(:) < 0), error('idivide'); end
    q = fix(q);
  elseif strcmp(how, 'floor')
    q = floor(q);
  elseif strcmp(how, 'ceil')
    q = ceil(q);
  elseif ~strcmp(how, 'round')
    error('idivide');
  end
  if isinteger(a)
    r = cast(q, class(a));
    if any(double(r(:)) ~= round(q(:))), error('idivide'); end
  else
    r = cast(q, class(b));
    if any(double(r(:)) ~= round(q(:))), error('idivide'); end
  end
end
function r = vr__matrix_power(A, n)
  if n ~= fix(n) || abs(n) > 2 ^ 40 || rows(A) ~= columns(A) || isempty(A), error('matrix_power'); end
  if n == 0
    r = eye(rows(A));
  else
    base = A;
    if n < 0
      base = inv(A);
      n = -n;
    end
    r = base;
    n = n - 1;
    while n > 0
      if mod(n, 2) == 1, r = r * base; end
      n = floor(n / 2);
      if n > 0, base = base * base; end
    end
  end
end
function r = vr__vector_norm(v, p)
  if isempty(v) || any(~isfinite(v(:))), error('vector_norm'); end
  most = max(abs(v(:)));
  if most == 0
    r = most;
  else
    r = most * sum((abs(v(:)) / most) .^ p) ^ (1 / p);
  end
end
function [q, r] = deconv(y, a)
  m = numel(y);
  n = numel(a);
  if ~isvector(y) || ~isvector(a) || ~isrow(y) || m < n || n < 2 || a(1) == 0, error('deconv'); end
  if ~isa(y, 'double') || ~isa(a, 'double'), error('deconv'); end
  rest = y;
  q = zeros(1, m - n + 1);
  for k = 1:m - n + 1
    q(k) = rest(k) / a(1);
    for i = 1:n
      rest(k + i - 1) = rest(k + i - 1) - q(k) * a(i);
    end
  end
  if nargout > 1
    r = y - conv(reshape(a, 1, n), q);
  else
    r = 0;
  end
end
function r = vr__dot(a, b, dim)
  if ~isequal(size(a), size(b)) || isempty(a) || ~isfloat(a) || ~isfloat(b) || ~isreal(a) || ~isreal(b), error('dot'); end
  p = a .* b;
  if nargin < 3
    r = sum(p);
  elseif dim == 1
    r = sum(p, 1);
  elseif dim == 2
    r = sum(p, 2);
  else
    error('dot');
  end
end
function r = eps(x)
  if ~isa(x, 'double') || ~isreal(x) || isempty(x), error('eps'); end
  r = abs(x);
  for k = 1:numel(x)
    v = r(k);
    if ~isfinite(v)
      r(k) = NaN;
    elseif v < realmin
      r(k) = 2 ^ -1074;
    else
      p = 2 ^ floor(log2(v));
      if p > v, p = p / 2; end
      if v - p >= p, p = p * 2; end
      r(k) = p * 2 ^ -52;
    end
  end
end
function [p, n] = factor(q)
  if ~isscalar(q) || ~isa(q, 'double') || ~isreal(q) || ~(q >= 1 && q <= 2 ^ 53) || q ~= fix(q) || nargout > 1, error('factor'); end
  p = zeros(1, 0);
  d = 2;
  while d * d <= q
    while mod(q, d) == 0
      p(end+1) = d;
      q = q / d;
    end
    if d == 2, d = 3; else, d = d + 2; end
  end
  if q > 1 || isempty(p), p(end+1) = q; end
  n = 0;
end
function r = deg2rad(x)
  r = x * pi / 180;
end
function r = rad2deg(x)
  r = x * 180 / pi;
end
function r = sec(x)
  r = 1 ./ cos(x);
end
function r = csc(x)
  r = 1 ./ sin(x);
end
function r = cot(x)
  r = 1 ./ tan(x);
end
)";

}  // namespace vr::matlab
