export function GET(request: Request): Response {
  return echo(request, '')
}

export async function POST(request: Request): Promise<Response> {
  return echo(request, await request.text())
}

function echo(request: Request, body: string): Response {
  const { pathname, search } = new URL(request.url)
  const received = { method: request.method, url: pathname + search, body }
  return Response.json(received, { headers: { 'x-lab': 'echo' } })
}
