import { revalidatePath } from 'waymark/server'

/** Revalidates a cached page, for the soak test. */
export async function POST(request: Request) {
  const id = new URL(request.url).searchParams.get('id') ?? '0'
  await revalidatePath(`/cached/${id}`)
  return new Response(null, { status: 204 })
}
