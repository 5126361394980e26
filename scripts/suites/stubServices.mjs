// Loaded by `node --import` before an app: responds to what the app asks of services, from
// `STUBBED_SERVICES`, by the beginning of an address: JSON, or a server of this machine as text.
const services = Object.entries(JSON.parse(process.env.STUBBED_SERVICES ?? '{}'))
const send = globalThis.fetch

globalThis.fetch = async (input, init) => {
  const url = input instanceof Request ? input.url : String(input)
  const found = services.find(([start]) => url.startsWith(start))
  if (!found) return send(input, init)
  return typeof found[1] === 'string' ? send(found[1], init) : Response.json(found[1])
}
