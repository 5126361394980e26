-- Requests another query each time, so that nothing that a server remembers of one page helps it with
-- the next. Replaces the word `visitor` in the path, or adds a query to a path without it.
local count = 0
local hasVisitor

function request()
  if hasVisitor == nil then hasVisitor = wrk.path:find('visitor', 1, true) ~= nil end
  count = count + 1
  local text = 'visitor' .. count
  if hasVisitor then return wrk.format(nil, (wrk.path:gsub('visitor', text))) end
  return wrk.format(nil, wrk.path .. '?q=' .. text)
end
