export async function POST(request: Request) {
  const bytes = new Uint8Array(await request.arrayBuffer())
  return Response.json({ length: bytes.length, sum: bytes.reduce((sum, each) => sum + each, 0) })
}
