-- Requests for wrk, in turn: each line of the file is a body, sent with the next of as many keys as there are. Arguments: the file, how many
-- keys. Answers one line of JSON.
local texts = {}
local keys = 1
sent = 0
local threads = {}

function setup(thread)
  threads[#threads + 1] = thread
end

function init(args)
  math.randomseed(os.time())
  local run = math.random(1000000000)
  for line in io.lines(args[1]) do texts[#texts + 1] = line end
  keys = tonumber(args[2])
  for text = 1, #texts do
    local unique = texts[text]:find("UNIQUE", 1, true)
    if unique then texts[text] = texts[text]:gsub("UNIQUE", run .. "-UNIQUE") end
  end
end

function request()
  local text = texts[sent % #texts + 1]
  local key = sent % keys
  sent = sent + 1
  if text:find("UNIQUE", 1, true) then text = text:gsub("UNIQUE", tostring(sent)) end
  return "POST /graphql HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\naccept: application/json\r\nauthorization: Bearer bench-"
    .. key .. "\r\ncontent-length: " .. #text .. "\r\n\r\n" .. text
end

function done(summary, latency)
  local errors = summary.errors
  local asked = 0
  for _, thread in ipairs(threads) do asked = asked + thread:get("sent") end
  io.write(string.format(
    '{"requests":%d,"asked":%d,"seconds":%.6f,"p50Ms":%.3f,"p99Ms":%.3f,"failed":%d}\n',
    summary.requests, asked, summary.duration / 1e6, latency:percentile(50) / 1000, latency:percentile(99) / 1000,
    errors.connect + errors.read + errors.write + errors.status + errors.timeout))
end
