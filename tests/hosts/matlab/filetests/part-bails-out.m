% RUN: run --part 4 --args 4 "[1 2 3]"
function r = f(n, x)
  r = {x};
  for k = 1:n
    s = x(k);
  end
end
% EXPECT
% bailed out: part-bails-out.m:5:5: OUT_OF_BOUNDS: index 4 is out of bounds for axis 0 of 'x', which has extent 3 (axis 0) in function 'vr_part'
% exit 1
