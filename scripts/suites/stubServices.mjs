// Loaded by `node --import` before an app: responds to what the app asks of services, from
// `STUBBED_SERVICES`, JSON by the beginning of an address.
const services = Object.entries(JSON.parse(process.env.STUBBED_SERVICES ?? '{}'))
const send = globalThis.fetch

globalThis.fetch = async (input, init) => {
  const url = input instanceof Request ? input.url : String(input)
  const found = services.find(([start]) => url.startsWith(start))
  return found ? Response.json(found[1]) : send(input, init)
}
