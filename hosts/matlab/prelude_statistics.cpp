// Builtins written in the language: statistics, groups, sets, order.
#include "prelude.hpp"

namespace vr::matlab {

// As in prelude_numeric.cpp: calls that these do not cover bail out.
const char* const kStatisticsPrelude = R"(
function r = var(x, opt, dim)
  if nargin < 2, opt = 0; end
  if isempty(opt), opt = 0; end
  if ~isscalar(opt), error('var'); end
  if ndims(x) > 2 || ~isfloat(x) || isempty(x) || (opt ~= 0 && opt ~= 1), error('var'); end
  along = 1;
  if isrow(x), along = 2; end
  if nargin > 2
    if ~isscalar(dim), error('var'); end
    along = dim;
  end
  if along == 1
    n = rows(x);
    if n < 2 && any(~isfinite(x(:))), error('var'); end
    r = sumsq(abs(x - sum(x, 1) / n), 1) / max(n - 1 + opt, 1);
  elseif along == 2
    n = columns(x);
    if n < 2 && any(~isfinite(x(:))), error('var'); end
    r = sumsq(abs(x - sum(x, 2) / n), 2) / max(n - 1 + opt, 1);
  else
    error('var');
  end
end
function r = std(x, opt, dim)
  if nargin < 2
    r = sqrt(var(x));
  elseif nargin < 3
    r = sqrt(var(x, opt));
  else
    r = sqrt(var(x, opt, dim));
  end
end
function r = meansq(x)
  if ~isvector(x) || isempty(x) || ~isfloat(x), error('meansq'); end
  r = sumsq(x(:)) / numel(x);
end
function r = range(x)
  if ~isvector(x) || isempty(x) || ~isfloat(x), error('range'); end
  r = max(x(:)) - min(x(:));
end
function r = mode(x)
  if ~isvector(x) || isempty(x) || ~isfloat(x) || any(isnan(x(:))), error('mode'); end
  s = sort(x(:));
  r = s(1);
  most = 0;
  run = 0;
  for k = 1:numel(s)
    run = run + 1;
    if k > 1
      if s(k) ~= s(k-1), run = 1; end
    end
    if run > most
      most = run;
      r = s(k);
    end
  end
end
function r = quantile(x, p)
  if nargin < 2, p = [0, 0.25, 0.5, 0.75, 1]; end
  if ndims(x) > 2 || isempty(x) || isempty(p) || ~isvector(p) || ~isa(x, 'double') || any(isnan(x(:))), error('quantile'); end
  if any(~(p(:) >= 0 & p(:) <= 1)), error('quantile'); end
  if isvector(x)
    s = sort(x(:));
    r = zeros(size(p));
  else
    s = sort(x, 1);
    r = zeros(numel(p), columns(x));
  end
  n = rows(s);
  for k = 1:numel(p)
    at = min(max(n * p(k) + 0.5, 1), n);
    low = min(floor(at), max(n - 1, 1));
    high = min(low + 1, n);
    t = at - low;
    if isvector(x)
      r(k) = (1 - t) * s(low) + t * s(high);
    else
      r(k, :) = (1 - t) * s(low, :) + t * s(high, :);
    end
  end
end
function r = prctile(x, p)
  if nargin < 2
    r = quantile(x);
  else
    r = quantile(x, p / 100);
  end
end
function [r, at] = histc(x, edges)
  if ndims(x) > 2 || isempty(x) || ~isvector(edges) || numel(edges) < 2 || ~isa(x, 'double'), error('histc'); end
  n = numel(edges);
  for k = 2:n
    if ~(edges(k) > edges(k-1)), error('histc'); end
  end
  if isscalar(x), error('histc'); end  % a column
  if isrow(x)
    r = zeros(1, n);
  else
    r = zeros(n, columns(x));
  end
  if nargout > 1, at = zeros(size(x)); end
  for j = 1:numel(x)
    v = x(j);
    if v >= edges(1) && v <= edges(n)
      low = 1;
      high = n + 1;
      while high - low > 1
        middle = floor((low + high) / 2);
        if v >= edges(middle), low = middle; else, high = middle; end
      end
      if nargout > 1, at(j) = low; end
      if isrow(x)
        r(low) = r(low) + 1;
      else
        c = floor((j - 1) / rows(x)) + 1;
        r(low, c) = r(low, c) + 1;
      end
    end
  end
end
function r = accumarray(subs, vals, sz, fn)
  if isempty(subs) || ndims(subs) > 2 || any(subs(:) < 1) || any(subs(:) ~= fix(subs(:))), error('accumarray'); end
  n = rows(subs);
  if ~isa(vals, 'double') || (~isscalar(vals) && numel(vals) ~= n), error('accumarray'); end
  if columns(subs) == 1
    m = max(subs(:));
    if nargin > 2
      if ~isempty(sz)
        if numel(sz) ~= 2, error('accumarray'); end
        if sz(2) ~= 1 || sz(1) < m, error('accumarray'); end
        m = sz(1);
      end
    end
    r = zeros(m, 1);
    if nargin > 3
      r = vr__of_groups(r, subs, vals, fn);
    else
      for k = 1:n
        if isscalar(vals), v = vals; else, v = vals(k); end
        r(subs(k)) = r(subs(k)) + v;
      end
    end
  elseif columns(subs) == 2
    m = max(subs(:, 1));
    c = max(subs(:, 2));
    if nargin > 2
      if ~isempty(sz)
        if numel(sz) ~= 2, error('accumarray'); end
        if sz(1) < m || sz(2) < c, error('accumarray'); end
        m = sz(1);
        c = sz(2);
      end
    end
    r = zeros(m, c);
    if nargin > 3
      r = vr__of_groups(r, subs(:, 1) + (subs(:, 2) - 1) * m, vals, fn);
    else
      for k = 1:n
        if isscalar(vals), v = vals; else, v = vals(k); end
        r(subs(k, 1), subs(k, 2)) = r(subs(k, 1), subs(k, 2)) + v;
      end
    end
  else
    error('accumarray');
  end
end
function r = vr__extremes_of_groups(subs, vals, sz, fn, largest)
  if any(isnan(vals(:))), error('accumarray'); end
  r = accumarray(subs, vals, sz, fn);
  if (largest && any(vals(:) < 0)) || (~largest && any(vals(:) > 0))  % Octave then has NaN where nothing is
    n = accumarray(subs, 1, size(r));
    r(n == 0) = NaN;
  end
end
function r = vr__of_groups(r, places, vals, fn)
  n = numel(places);
  x = zeros(n, 1);
  for k = 1:n
    if isscalar(vals), x(k) = vals; else, x(k) = vals(k); end
  end
  [s, p] = sort(places(:));
  x = x(p);
  from = 1;
  for k = 1:n
    last = true;
    if k < n, last = s(k + 1) ~= s(k); end
    if last
      v = fn(x(from:k));
      if ~isscalar(v) || ~isa(v, 'double') || ~isreal(v), error('accumarray'); end
      r(s(k)) = v;
      from = k + 1;
    end
  end
end
function r = union(a, b)
  if (isempty(a) && isempty(b)) || ~isa(a, 'double') || ~isa(b, 'double') || nargout > 1, error('union'); end
  if isrow(a) && isrow(b)
    r = unique([a, b]);
  else
    r = unique([a(:); b(:)]);
  end
end
function [r, ia, ib] = intersect(a, b)
  if isempty(a) || isempty(b) || ~isa(a, 'double') || ~isa(b, 'double'), error('intersect'); end
  if ndims(a) > 2 || ndims(b) > 2 || (isrow(a) ~= isrow(b) && ~isscalar(a) && ~isscalar(b)), error('intersect'); end
  [u, iu] = unique(a(:));
  [v, iv] = unique(b(:));
  [within, where] = ismember(u, v);
  both = u(within);
  ia = iu(within);
  ib = iv(where(within));
  if isrow(a) && isrow(b)
    r = both.';
  else
    r = both;
  end
end
function [r, ia] = setdiff(a, b)
  if isempty(a) || ~isa(a, 'double') || ~isa(b, 'double') || ndims(a) > 2 || ndims(b) > 2, error('setdiff'); end
  if nargout > 1
    [u, iu] = unique(a(:), 'last');
    left = ~ismember(u, b);
    rest = u(left);
    ia = iu(left);
  elseif isscalar(a)
    rest = repmat(a, 1, double(~ismember(a, b)));
    ia = 0;
  else
    v = unique(a(:));
    rest = v(~ismember(v, b));
    ia = 0;
  end
  if isrow(a)
    r = reshape(rest, 1, numel(rest));
  else
    r = reshape(rest, numel(rest), 1);
  end
end
function r = setxor(a, b)
  if isempty(a) || isempty(b) || ~isa(a, 'double') || ~isa(b, 'double') || nargout > 1, error('setxor'); end
  if ndims(a) > 2 || ndims(b) > 2 || isrow(a) ~= isrow(b), error('setxor'); end
  u = unique(a(:));
  v = unique(b(:));
  rest = sort([u(~ismember(u, v)); v(~ismember(v, u))]);
  if isrow(a)
    r = rest.';
  else
    r = rest;
  end
end
function r = issorted(x)
  if ~isvector(x) || isempty(x) || ~isfloat(x) || any(isnan(x(:))), error('issorted'); end
  r = true;
  for k = 2:numel(x)
    if x(k) < x(k-1), r = false; end
  end
end
function r = lookup(table, y)
  n = numel(table);
  if ~isvector(table) || n < 2 || isempty(y) || ~isa(table, 'double') || ~isa(y, 'double'), error('lookup'); end
  for k = 2:n
    if ~(table(k) > table(k-1)), error('lookup'); end
  end
  r = zeros(size(y));
  for k = 1:numel(y)
    if isnan(y(k)), error('lookup'); end
    low = 0;
    high = n + 1;
    while high - low > 1
      middle = floor((low + high) / 2);
      if y(k) >= table(middle), low = middle; else, high = middle; end
    end
    r(k) = low;
  end
end
function [nn, xx] = hist(y, x)
  if nargout < 1 || ~isvector(y) || isempty(y) || ~isa(y, 'double') || ~isreal(y) || any(~isfinite(y(:))), error('hist'); end
  low = min(y(:));
  high = max(y(:));
  if nargin < 2
    n = 10;
  else
    if isempty(x) || ~isa(x, 'double') || ~isreal(x), error('hist'); end
    n = 0;
    if isscalar(x), n = fix(x); elseif ~isvector(x), error('hist'); end
    if isscalar(x) && n <= 0, error('hist'); end
  end
  even = true;
  if n > 0
    if low ~= high
      c = ((high - low) * (1:2:2*n) + 2 * n * low) / (2 * n);
    else
      c = (-floor((n - 1) / 2):ceil((n - 1) / 2)) + low;
    end
  else
    c = reshape(x, 1, numel(x));
    n = numel(c);
    for k = 2:n
      if ~(c(k) >= c(k - 1)), error('hist'); end
      even = even && c(k) - c(k - 1) == c(2) - c(1);
    end
    if ~even && n >= 11, error('hist'); end
  end
  cut = (c(1:n - 1) + c(2:n)) / 2;
  nn = zeros(1, n);
  d = 1;
  if n > 2, d = (c(n) - c(1)) / (n - 1); end
  for k = 1:numel(y)
    if n < 11
      at = 1;
      for i = 1:n - 1
        if y(k) > cut(i), at = i + 1; end
      end
    else
      at = 1 + max(0, min(n - 1, ceil((y(k) - cut(1)) / d)));
    end
    nn(at) = nn(at) + 1;
  end
  xx = c;
end
function [u, i, j] = vr__unique_rows(A)
  if ndims(A) > 2 || isempty(A) || ~isreal(A), error('unique'); end
  [s, p] = sortrows(A);
  n = rows(s);
  fresh = true(n, 1);
  for k = 2:n
    fresh(k) = any(s(k, :) ~= s(k - 1, :));
  end
  u = s(fresh, :);
  if nargout > 1
    i = p(fresh);
    j = zeros(n, 1);
    g = 0;
    for k = 1:n
      if fresh(k), g = g + 1; end
      j(p(k)) = g;
    end
  end
end
function [u, i] = vr__unique_stable(x)
  if isempty(x) || ~isreal(x), error('unique'); end
  if isfloat(x)
    if any(isnan(x(:))), error('unique'); end
  end
  [v, f] = unique(x(:));
  f = sort(f);
  u = x(f);
  i = f;
end
function [r, p] = sortrows(A, c)
  if ndims(A) > 2 || isempty(A) || ~isreal(A), error('sortrows'); end
  if isfloat(A)
    if any(isnan(A(:))), error('sortrows'); end
  end
  if nargin < 2, c = 1:columns(A); end
  if ~isvector(c) || any(c(:) == 0) || any(c(:) ~= fix(c(:))) || any(abs(c(:)) > columns(A)), error('sortrows'); end
  p = (1:rows(A)).';
  for k = numel(c):-1:1
    key = A(p, abs(c(k)));
    if c(k) > 0
      [key, q] = sort(key, 1);
    else
      [key, q] = sort(key, 1, 'descend');
    end
    p = reshape(p(q), rows(A), 1);
  end
  r = A(p, :);
end
)";

}  // namespace vr::matlab
