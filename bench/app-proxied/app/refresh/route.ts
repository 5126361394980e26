import { revalidatePath } from 'waymark/server'

/** Has a kept page rendered anew: for the soak. */
export async function POST(request: Request) {
  const id = new URL(request.url).searchParams.get('id') ?? '0'
  await revalidatePath(`/kept/${id}`)
  return new Response(null, { status: 204 })
}
