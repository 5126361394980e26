import { save } from './actions.ts'

export const dynamic = 'force-dynamic'

// React accepts a form action with a result, but its types don't.
const action = save as unknown as (form: FormData) => Promise<void>

export default function Page() {
  return (
    <form action={action}>
      <input name="name" />
      <button type="submit">Save</button>
    </form>
  )
}
