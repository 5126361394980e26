import { save } from './actions.ts'

export const dynamic = 'force-dynamic'

// React's types know no form action with a result, which React itself takes.
const action = save as unknown as (form: FormData) => Promise<void>

export default function Page() {
  return (
    <form action={action}>
      <input name="name" />
      <button type="submit">Save</button>
    </form>
  )
}
