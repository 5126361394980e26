import { redirect } from 'waymark'
import { cookies } from 'waymark/server'

/** Sets or deletes the key cookie. */
export async function POST(request: Request): Promise<never> {
  const key = (await request.formData()).get('key')
  const jar = await cookies()
  if (key === 'brass') jar.set('lab-key', key, { httpOnly: true })
  else jar.delete('lab-key')
  redirect('/lab/proxy', { status: 303 })
}
