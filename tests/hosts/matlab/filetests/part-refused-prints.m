% RUN: run --part 4 --args 2
function r = f(x)
  r = {x};
  for k = 1:x
    disp(k);
  end
end
% EXPECT
% refused: part-refused-prints.m:5:5: error: 'disp', which does or asks more than compute [unsupported]
%     call it outside of compiled functions
% exit 1
