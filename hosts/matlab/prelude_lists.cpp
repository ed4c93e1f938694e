// Builtins written in the language: cell arrays of unknown length (emit_list.cpp).
#include "prelude.hpp"

namespace vr::matlab {

// The elements behind each other in the row d. Element k ends at e(k) and has r(k) rows; -1: it was never assigned to.
const char* const kListPrelude = R"(
function [e, r] = vr__list_new(n)
  if n ~= fix(n) || n < 1 || n > 1e9, error('a number of cells'); end
  e = zeros(1, n);
  r = zeros(1, n) - 1;
end
function [d, e, r] = vr__list_put(d, e, r, k, v, rows, down)
  n = numel(e);
  if k ~= fix(k) || k < 1 || k > 1e9, error('the number of a cell'); end
  if k > n
    if down && n < 2, error('a column of cells that grows'); end
    last = numel(d);
    for i = n + 1:k
      e(i) = last;
      r(i) = -1;
    end
  end
  if k > 1, from = e(k - 1); else, from = 0; end
  m = numel(v);
  more = m - (e(k) - from);
  if from == numel(d)
    for i = 1:m
      d(from + i) = v(i);
    end
  elseif more == 0
    for i = 1:m
      d(from + i) = v(i);
    end
  else
    d = [d(1:from), v, d(e(k) + 1:end)];
  end
  if more ~= 0
    for i = k:numel(e)
      e(i) = e(i) + more;
    end
  end
  r(k) = rows;
end
function v = vr__list_get(d, e, r, k)
  if k ~= fix(k) || k < 1 || k > numel(e), error('the number of a cell'); end
  if r(k) < 0, error('a cell that was never assigned to'); end
  if k > 1, from = e(k - 1); else, from = 0; end
  v = d(from + 1:e(k));
end
function v = vr__list_shaped(d, e, r, k)
  w = vr__list_get(d, e, r, k);
  m = r(k);
  if m == 0, n = 0; else, n = numel(w) / m; end
  v = reshape(w, m, n);
end
function n = vr__list_counts(e, r)
  if any(r < 0), error('a cell that was never assigned to'); end
  n = e - [0, e(1:end - 1)];
end
function [e, r] = vr__list_upto(e, r, n)
  last = 0;
  m = numel(e);
  if m > 0, last = e(m); end
  for i = m + 1:n
    e(i) = last;
    r(i) = -1;
  end
end
function [f, g, s] = vr__list_pick(d, e, r, i)
  n = numel(i);
  g = zeros(1, n);
  s = zeros(1, n);
  m = 0;
  for k = 1:n
    j = i(k);
    if j ~= fix(j) || j < 1 || j > numel(e), error('the number of a cell'); end
    from = 0;
    if j > 1, from = e(j - 1); end
    m = m + e(j) - from;
    g(k) = m;
    s(k) = r(j);
  end
  p = zeros(1, m);
  c = 0;
  for k = 1:n
    from = 0;
    if i(k) > 1, from = e(i(k) - 1); end
    for q = from + 1:e(i(k))
      c = c + 1;
      p(c) = q;
    end
  end
  f = d(p);
end
function [d, e, r] = vr__list_join(d, e, r, f, g, s)
  n = numel(e);
  m = 0;
  if n > 0, m = e(n); end
  d = [d, f];
  e = [e, g + m];
  r = [r, s];
end
function i = vr__others(n, k)
  for j = 1:numel(k)
    if k(j) ~= fix(k(j)) || k(j) < 1 || k(j) > n, error('the number of an element'); end
  end
  stays = true(1, n);
  stays(k) = false;
  i = zeros(1, 0);
  for j = 1:n
    if stays(j), i(end + 1) = j; end
  end
end
function r = vr__for_each(f, s)
  first = f(s(1));
  if ~isscalar(first), error('arrayfun'); end
  r = repmat(first, 1, numel(s));
  for k = 2:numel(s)
    r(k) = f(s(k));
  end
end
function c = vr__cells_for_each(f, s)
  c = cell(1, numel(s));
  for k = 1:numel(s)
    c{k} = f(s(k));
  end
end
function c = vr__cells_of_cells(f, s)
  c = cell(1, numel(s));
  for k = 1:numel(s)
    c{k} = f(s{k});
  end
end
)";

}  // namespace vr::matlab
