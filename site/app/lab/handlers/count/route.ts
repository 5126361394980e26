/** Counts the bytes and chunks of the body without storing them. */
export async function POST(request: Request): Promise<Response> {
  let bytes = 0
  let pieces = 0
  for await (const piece of request.body ?? []) {
    bytes += (piece as Uint8Array).byteLength
    pieces++
  }
  return Response.json({ bytes, pieces })
}
