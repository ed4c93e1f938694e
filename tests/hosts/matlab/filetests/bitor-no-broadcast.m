% RUN: run --args "[1 2 4]" "[8; 16]"
% Bit operations of Octave do not broadcast.
function r = f(a, b)
  r = bitor(a, b);
end
% EXPECT
% bailed out: bitor-no-broadcast.m:4:3: 'bitor' of arrays of different sizes
% exit 1
