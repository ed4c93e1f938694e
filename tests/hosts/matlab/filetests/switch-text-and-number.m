% RUN: run --args 97 "[1 2]"
% Text counts as its characters; arrays are equal as a whole.
function r = f(a, v)
  r = 0;
  switch a
    case 'a'
      r = 1;
  end
  switch v
    case 1
      r = 10;
    case [1 2]
      r = r + 2;
  end
end
% EXPECT
% double 1x1 [3]
