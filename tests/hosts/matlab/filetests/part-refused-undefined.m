% RUN: run --part 4 --args 2
function r = f(x)
  r = {x};
  for k = 1:x
    total = undefined_before + k;
  end
end
% EXPECT
% refused: part-refused-undefined.m:5:13: error: 'undefined_before' is no variable, and no function that is compiled [unsupported]
% exit 1
