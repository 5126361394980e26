import { redirect } from 'waymark'
import { cookies } from 'waymark/server'

/** Stores a note in the cookie, or deletes the cookie if the note is empty. */
export async function POST(request: Request): Promise<never> {
  const note = (await request.formData()).get('note')
  const jar = await cookies()
  if (typeof note === 'string' && note !== '') {
    jar.set('lab-note', note.slice(0, 200), { httpOnly: true, maxAge: 3600 })
  } else {
    jar.delete('lab-note')
  }
  redirect('/lab/request', { status: 303 })
}
