% Heat conduction in a plate whose upper edge is hot (docs/gallery.md).
function a = heat (n, steps)
  a = zeros (n);
  a(1, :) = 1;
  b = a;
  for s = 1:steps
    for i = 2:n-1
      for j = 2:n-1
        b(i, j) = a(i, j) + 0.2 * (a(i-1, j) + a(i+1, j) + a(i, j-1) + a(i, j+1) - 4 * a(i, j));
      end
    end
    a = b;
  end
end
