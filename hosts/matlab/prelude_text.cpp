// Builtins written in the language: text of whole numbers, and trimming.
#include "prelude.hpp"

namespace vr::matlab {

// What is no whole number, and a zero with a sign, is left to the interpreter.
const char* const kTextPrelude = R"(
function s = vr__whole_text(x)
  n = double(x);
  if n ~= fix(n) || ~(abs(n) < 1e15) || (n == 0 && 1 / n < 0), error('no whole number'); end
  m = abs(n);
  s = char(48 + mod(m, 10));
  m = floor(m / 10);
  while m > 0
    s = [char(48 + mod(m, 10)), s];
    m = floor(m / 10);
  end
  if n < 0, s = ['-', s]; end
end
function s = vr__wide_text(x, width, zeros_before)
  s = vr__whole_text(x);
  if zeros_before && double(x) < 0, error('a sign before zeros'); end
  while numel(s) < width
    if zeros_before, s = ['0', s]; else s = [' ', s]; end
  end
end
function s = dec2bin(d, len)
  if nargin < 2, len = 1; end
  n = double(d);
  if ~isscalar(d) || ~isscalar(len) || n ~= fix(n) || ~(n >= 0) || ~(n < 2^53), error('dec2bin'); end
  s = char(48 + mod(n, 2));
  n = floor(n / 2);
  while n > 0
    s = [char(48 + mod(n, 2)), s];
    n = floor(n / 2);
  end
  while numel(s) < len
    s = ['0', s];
  end
end
function s = vr__trimmed(t)
  last = numel(t);
  while last > 0 && (isspace(t(last)) || t(last) == 0)
    last = last - 1;
  end
  first = 1;
  while first <= last && (isspace(t(first)) || t(first) == 0)
    first = first + 1;
  end
  if first > last, error('blanks'); end
  s = t(first:last);
end
)";

}  // namespace vr::matlab
