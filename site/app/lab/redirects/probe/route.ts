export type Probe = { readonly status: number; readonly location: string | null }

/** Requests a URL of this experiment from this server, without following redirects. */
export async function GET(request: Request): Promise<Response> {
  const { origin, searchParams } = new URL(request.url)
  const path = searchParams.get('path') ?? ''
  if (!/^\/lab\/{1,2}redirects\/[a-z-]*$/.test(path)) return new Response(null, { status: 400 })
  const response = await fetch(origin + path, { redirect: 'manual' })
  await response.body?.cancel()
  const probe: Probe = { status: response.status, location: response.headers.get('location') }
  return Response.json(probe)
}
