-- What wrk sends: each connection, a thread of its own, goes through the requests of its own file again and again,
-- the next one once the last is answered. The files' folder is wrk's argument; \0 stands between requests.

local numbers = 0

function setup(thread)
   thread:set("number", numbers)
   numbers = numbers + 1
end

function init(args)
   requests, place = {}, 0
   tried = number > 0  -- wrk asks the first thread for a request that it only looks at
   local file = assert(io.open(args[1] .. "/" .. number, "rb"))
   for text in file:read("*a"):gmatch("[^%z]+") do
      requests[#requests + 1] = text
   end
   file:close()
end

function request()
   if not tried then
      tried = true
      return requests[1]
   end
   place = place % #requests + 1
   return requests[place]
end

function done(summary, latency, _)
   local failed = 0
   for _, count in pairs(summary.errors) do  -- of connecting, reading, writing, waiting, and statuses from 400 on
      failed = failed + count
   end
   io.write(string.format('\n{"answers": %d, "failed": %d, "seconds": %f, "p99": %f}\n', summary.requests, failed,
      summary.duration / 1e6, latency:percentile(99) / 1e6))
end
