-- Asks for another query each time: nothing that a server keeps of one page helps it with the next.
local count = 0

function request()
  count = count + 1
  return wrk.format(nil, wrk.path .. '?q=visitor' .. count)
end
