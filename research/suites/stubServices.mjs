// Loaded by `node --import` before an app: responds to what the app asks of services, from
// `STUBBED_SERVICES`, by the beginning of an address: JSON, or a server of this machine as text.
const services = Object.entries(JSON.parse(process.env.STUBBED_SERVICES ?? '{}'))
const send = globalThis.fetch

globalThis.fetch = async (input, init) => {
  const url = input instanceof Request ? input.url : String(input)
  const service = services.find(([start]) => url.startsWith(start))
  if (!service) return send(input, init)
  return typeof service[1] === 'string' ? send(service[1], init) : Response.json(service[1])
}
