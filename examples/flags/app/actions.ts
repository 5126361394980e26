'use server'

import { redirect } from 'waymark'
import { cookies } from 'waymark/server'

export async function signIn(form: FormData) {
  const jar = await cookies()
  jar.set('user', String(form.get('user')).slice(0, 100), { httpOnly: true, sameSite: 'lax' })
  redirect('/shop')
}

export async function signOut() {
  const jar = await cookies()
  jar.delete('user')
  redirect('/')
}
