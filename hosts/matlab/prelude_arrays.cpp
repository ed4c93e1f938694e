// Builtins written in the language: shapes, diagonals, permutations, grids.
#include "prelude.hpp"

namespace vr::matlab {

// Stores of a logical constant and of elements of the argument leave the class as it is.
const char* const kArrayPrelude = R"(
function r = tril(A, k)
  if nargin < 2, k = 0; end
  if ndims(A) > 2 || ~isscalar(k), error('tril'); end
  r = A;
  for j = 1:columns(A)
    for i = 1:min(rows(A), j - k - 1)
      r(i, j) = false;
    end
  end
end
function r = triu(A, k)
  if nargin < 2, k = 0; end
  if ndims(A) > 2 || ~isscalar(k), error('triu'); end
  r = A;
  for j = 1:columns(A)
    for i = max(1, j - k + 1):rows(A)
      r(i, j) = false;
    end
  end
end
function r = diag(A, k)
  if nargin < 2, k = 0; end
  if ndims(A) > 2 || ~isscalar(k) || k ~= fix(k) || isempty(A), error('diag'); end
  down = max(0, -k);
  right = max(0, k);
  if isscalar(A) && k == 0
    r = A;
  elseif isvector(A) || isscalar(A)
    n = numel(A);
    r = repmat(A(1), n + abs(k), n + abs(k));
    r(:) = false;
    for i = 1:n
      r(i + down, i + right) = A(i);
    end
  else
    n = min(rows(A) - down, columns(A) - right);
    if n < 1, error('diag'); end
    r = repmat(A(1), n, 1);
    for i = 1:n
      r(i) = A(i + down, i + right);
    end
  end
end
function r = trace(A)
  if ndims(A) > 2 || rows(A) ~= columns(A) || isempty(A), error('trace'); end
  r = 0;
  for i = 1:rows(A)
    r = r + A(i, i);
  end
end
function r = squeeze(A)
  if ndims(A) < 3
    r = A;
  elseif ndims(A) == 3
    if size(A, 1) == 1 && size(A, 2) == 1
      r = reshape(A, size(A, 3), 1);
    elseif size(A, 1) == 1
      r = reshape(A, size(A, 2), size(A, 3));
    elseif size(A, 2) == 1
      r = reshape(A, size(A, 1), size(A, 3));
    else
      r = A;
    end
  else
    s = size(A);
    k = s(s ~= 1);
    if numel(k) == 1
      r = reshape(A, k(1), 1);
    elseif numel(k) == 2
      r = reshape(A, k(1), k(2));
    else
      error('squeeze');
    end
  end
end
function r = permute(A, p)
  if ndims(A) > 3 || numel(p) < ndims(A) || numel(p) > 3, error('permute'); end
  if numel(p) == 2
    if p(1) == 1 && p(2) == 2
      r = A;
    elseif p(1) == 2 && p(2) == 1
      r = A.';
    else
      error('permute');
    end
  elseif isempty(A) || any(sort(p(:)) ~= [1; 2; 3])
    error('permute');
  else
    s = [size(A, 1), size(A, 2), size(A, 3)];
    r = reshape(repmat(A(1), numel(A), 1), s(p(1)), s(p(2)), s(p(3)));
    at = [1, 1, 1];
    for k = 1:s(p(3))
      at(p(3)) = k;
      for j = 1:s(p(2))
        at(p(2)) = j;
        for i = 1:s(p(1))
          at(p(1)) = i;
          r(i, j, k) = A(at(1), at(2), at(3));
        end
      end
    end
  end
end
function r = ipermute(A, p)
  q = p;
  for k = 1:numel(p)
    q(p(k)) = k;
  end
  r = permute(A, q);
end
function t = isindex(x, n)
  if islogical(x) || ischar(x), error('isindex'); end
  y = double(x(:));
  t = isempty(y) || all(y >= 1 & y == fix(y) & y < 2^53);
  if nargin > 1 && t && ~isempty(y), t = all(y <= n); end
end
function r = merge(m, a, b)
  if ~islogical(m) || ~strcmp(class(a), class(b)), error('merge'); end
  if isscalar(m)
    if m, r = a; else, r = b; end
  else
    if isscalar(a), p = repmat(a, size(m, 1), size(m, 2)); else, p = a; end
    if isscalar(b), r = repmat(b, size(m, 1), size(m, 2)); else, r = b; end
    if ndims(m) > 2 || ~size_equal(m, p) || ~size_equal(m, r), error('merge'); end
    r(m) = p(m);
  end
end
function r = ifelse(m, a, b)
  r = merge(m, a, b);
end
function r = circshift(x, n, dim)
  if ndims(x) > 2 || isempty(x) || any(n(:) ~= fix(n(:))) || numel(n) > 2 || isempty(n), error('circshift'); end
  if ~isscalar(n) && nargin > 2, error('circshift'); end
  if nargin < 3
    dim = 1;
    if isrow(x), dim = 2; end
  end
  r = x;
  if ~isscalar(n)
    r = circshift(circshift(x, n(1), 1), n(2), 2);
  elseif dim == 1
    m = rows(x);
    for i = 1:m
      r(mod(i - 1 + n, m) + 1, :) = x(i, :);
    end
  elseif dim == 2
    m = columns(x);
    for i = 1:m
      r(:, mod(i - 1 + n, m) + 1) = x(:, i);
    end
  else
    error('circshift');
  end
end
function r = sub2ind(dims, i, j, k)
  if numel(dims) ~= nargin - 1 || ~isequal(size(i), size(j)), error('sub2ind'); end
  if any(i(:) < 1) || any(j(:) < 1) || any(i(:) > dims(1)) || any(j(:) > dims(2)), error('sub2ind'); end
  if any(i(:) ~= fix(i(:))) || any(j(:) ~= fix(j(:))), error('sub2ind'); end
  r = (j - 1) * dims(1) + i;
  if nargin > 3
    if ~isequal(size(i), size(k)) || any(k(:) < 1) || any(k(:) > dims(3)) || any(k(:) ~= fix(k(:))), error('sub2ind'); end
    r = r + (k - 1) * dims(1) * dims(2);
  end
end
function [i, j, k] = ind2sub(dims, at)
  n = numel(dims);
  if n < 2 || n > 3 || nargout > n || any(at(:) < 1) || any(at(:) > prod(dims(:))) || any(at(:) ~= fix(at(:)))
    error('ind2sub');
  end
  if nargout < 2
    i = at;
  else
    i = mod(at - 1, dims(1)) + 1;
    rest = floor((at - 1) / dims(1));
    if nargout == 2
      j = rest + 1;
    else
      j = mod(rest, dims(2)) + 1;
      k = floor(rest / dims(2)) + 1;
    end
  end
end
function r = cross(a, b)
  if numel(a) ~= 3 || numel(b) ~= 3 || ~isequal(size(a), size(b)) || ~isvector(a), error('cross'); end
  r = a;
  r(1) = a(2) * b(3) - a(3) * b(2);
  r(2) = a(3) * b(1) - a(1) * b(3);
  r(3) = a(1) * b(2) - a(2) * b(1);
end
function [X, Y] = meshgrid(x, y)
  if nargin < 2, y = x; end
  if ~isvector(x) || ~isvector(y), error('meshgrid'); end
  X = repmat(reshape(x, 1, numel(x)), numel(y), 1);
  Y = repmat(reshape(y, numel(y), 1), 1, numel(x));
end
function [r, s] = arrayfun(f, x, y)
  if ischar(f) || isempty(x), error('arrayfun'); end
  if nargin > 2
    if ~size_equal(x, y) || nargout > 1, error('arrayfun'); end
    first = f(x(1), y(1));
  elseif nargout > 1
    [first, second] = f(x(1));
    if ~isscalar(second), error('arrayfun'); end
    s = repmat(second, size(x));
  else
    first = f(x(1));
  end
  if ~isscalar(first), error('arrayfun'); end
  r = repmat(first, size(x));
  for k = 2:numel(x)
    if nargin > 2
      r(k) = f(x(k), y(k));
    elseif nargout > 1
      [r(k), s(k)] = f(x(k));
    else
      r(k) = f(x(k));
    end
  end
end
function r = vec(x)
  r = x(:);
end
function r = rot90(A, k)
  if nargin < 2, k = 1; end
  if ndims(A) > 2 || ~isscalar(k) || k ~= fix(k), error('rot90'); end
  k = mod(k, 4);
  if k == 0
    r = A;
  elseif k == 1
    r = flipud(A.');
  elseif k == 2
    r = flipud(fliplr(A));
  else
    r = fliplr(A.');
  end
end
function r = fft2(A)
  if ndims(A) > 2 || isempty(A), error('fft2'); end
  r = fft(fft(A, [], 1), [], 2);
end
function r = ifft2(A)
  if ndims(A) > 2 || isempty(A), error('ifft2'); end
  r = ifft(ifft(A, [], 1), [], 2);
end
function r = fftn(A)
  if ndims(A) > 3 || isempty(A), error('fftn'); end
  r = fft(fft(A, [], 1), [], 2);
  if ndims(A) == 3, r = fft(r, [], 3); end
end
function r = ifftn(A)
  if ndims(A) > 3 || isempty(A), error('ifftn'); end
  r = ifft(ifft(A, [], 1), [], 2);
  if ndims(A) == 3, r = ifft(r, [], 3); end
end
function r = vr__halves_swapped(x, forward, dim)
  if ndims(x) > 2 || isempty(x), error('fftshift'); end
  g = rows(x);
  h = columns(x);
  if forward
    g = ceil(g / 2);
    h = ceil(h / 2);
  else
    g = floor(g / 2);
    h = floor(h / 2);
  end
  if nargin > 2
    if ~isscalar(dim), error('fftshift'); end
    if dim == 1
      r = x([g+1:rows(x), 1:g], :);
    elseif dim == 2
      r = x(:, [h+1:columns(x), 1:h]);
    else
      error('fftshift');
    end
  elseif isvector(x)
    if ~isrow(x), h = g; end
    r = x([h+1:numel(x), 1:h]);
  else
    r = x([g+1:rows(x), 1:g], [h+1:columns(x), 1:h]);
  end
end
function r = fftshift(x, varargin)
  r = vr__halves_swapped(x, true, varargin{:});
end
function r = ifftshift(x, varargin)
  r = vr__halves_swapped(x, false, varargin{:});
end
function [X, Y] = ndgrid(x, y)
  if nargin < 2, y = x; end
  if ~isvector(x) || ~isvector(y) || nargout > 2, error('ndgrid'); end
  X = repmat(reshape(x, numel(x), 1), 1, numel(y));
  Y = repmat(reshape(y, 1, numel(y)), numel(x), 1);
end
function r = vander(x)
  if ~isvector(x) || isempty(x), error('vander'); end
  n = numel(x);
  r = ones(n, n);
  for j = n-1:-1:1
    r(:, j) = r(:, j + 1) .* x(:);
  end
end
function r = hilb(n)
  if ~isscalar(n) || n < 1 || n ~= fix(n), error('hilb'); end
  r = zeros(n, n);
  for j = 1:n
    for i = 1:n
      r(i, j) = 1 / (i + j - 1);
    end
  end
end
function r = toeplitz(c, row)
  if nargin < 2, row = c; end
  if ~isvector(c) || ~isvector(row) || isempty(c) || isempty(row) || ~isreal(c) || ~isreal(row), error('toeplitz'); end
  if ~isa(c, 'double') || ~isa(row, 'double') || c(1) ~= row(1), error('toeplitz'); end
  m = numel(c);
  n = numel(row);
  r = zeros(m, n);
  for j = 1:n
    for i = 1:m
      if i >= j, r(i, j) = c(i - j + 1); else, r(i, j) = row(j - i + 1); end
    end
  end
end
function r = postpad(x, n)
  if ~isvector(x) || ~isscalar(n) || n < 0 || n ~= fix(n) || ~isa(x, 'double') || ~isreal(x), error('postpad'); end
  if isrow(x), r = zeros(1, n); else, r = zeros(n, 1); end
  for k = 1:min(n, numel(x))
    r(k) = x(k);
  end
end
function r = blkdiag(A, B)
  if ndims(A) > 2 || ndims(B) > 2 || ~isa(A, 'double') || ~isa(B, 'double') || ~isreal(A) || ~isreal(B), error('blkdiag'); end
  r = zeros(rows(A) + rows(B), columns(A) + columns(B));
  for j = 1:columns(A)
    for i = 1:rows(A)
      r(i, j) = A(i, j);
    end
  end
  for j = 1:columns(B)
    for i = 1:rows(B)
      r(rows(A) + i, columns(A) + j) = B(i, j);
    end
  end
end
)";

}  // namespace vr::matlab
