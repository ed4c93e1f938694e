% RUN: run --args 2.5
function r = f(x)
  disp(x);
  r = [1 2](x * 2);
end
% EXPECT
% bailed out: prints-before-fault.m:4:3: OUT_OF_BOUNDS: index 5 is out of bounds for axis 0 of 'base', which has extent 2 (axis 0) in function 'f'
% exit 1
