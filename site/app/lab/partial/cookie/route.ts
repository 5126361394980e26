import { redirect } from 'waymark'
import { cookies } from 'waymark/server'
import { nameCookie } from '../nameCookie.ts'

/** Stores a name in the cookie, or deletes the cookie if the name is empty. */
export async function POST(request: Request): Promise<never> {
  const name = (await request.formData()).get('name')
  const jar = await cookies()
  if (typeof name === 'string' && name.trim() !== '') {
    jar.set(nameCookie, name.trim().slice(0, 60), { httpOnly: true, maxAge: 3600 })
  } else {
    jar.delete(nameCookie)
  }
  redirect('/lab/partial', { status: 303 })
}
