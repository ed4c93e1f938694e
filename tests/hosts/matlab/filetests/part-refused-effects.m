% RUN: run --part 4 --args 2
function r = f(x)
  r = {x};
  for k = 1:x
    t = toc;
  end
end
% EXPECT
% refused: part-refused-effects.m:5:9: error: 'toc', which does or asks more than compute [unsupported]
%     call it outside of compiled functions
% exit 1
