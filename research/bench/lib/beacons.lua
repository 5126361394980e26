-- Posts beacons as browsers do, each from the next of 8,000 addresses, as a proxy names them: the
-- server takes five a second of one.
local addresses = 8000
local at = 0
local beacons = {}

function init(args)
  for line in io.lines(args[1]) do
    table.insert(beacons, line)
  end
end

function request()
  at = (at + 1) % addresses
  wrk.headers["x-forwarded-for"] = "8.8." .. math.floor(at / 200) .. "." .. at % 200
  return wrk.format("POST", "/_waymark/arrivals", wrk.headers, beacons[at % #beacons + 1])
end
