% The wave equation with two sources, and edges that reflect (docs/gallery.md).
function now = waves (n, steps)
  now = zeros (n);
  before = zeros (n);
  after = zeros (n);
  third = floor (n / 3) + 1;
  for s = 1:steps
    source = sin (0.3 * (s - 1));
    now(third, third) = source;
    now(floor (2 * n / 3) + 1, floor (n / 2) + 1) = source;
    for i = 2:n-1
      for j = 2:n-1
        around = now(i-1, j) + now(i+1, j) + now(i, j-1) + now(i, j+1) - 4 * now(i, j);
        after(i, j) = 2 * now(i, j) - before(i, j) + 0.25 * around;
      end
    end
    before = now;
    now = after;
  end
end
