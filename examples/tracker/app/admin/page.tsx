import { forbidden, type Metadata } from 'waymark'
import { database } from '../../database/open.ts'
import { requireUser } from '../../session.ts'
import { endSessions, setAdmin } from './actions.ts'

export const metadata: Metadata = { title: 'Admin' }

export default async function Admin() {
  const admin = await requireUser()
  if (!admin.isAdmin) forbidden()
  const users = await database().listUsers()
  return (
    <>
      <h1>Admin</h1>
      <ul className="people">
        {users.map(({ id, name, isAdmin }) => (
          <li key={id}>
            <b>{name}</b>
            <span className="quiet">{isAdmin ? 'admin' : 'member'}</span>
            <form className="row">
              {id !== admin.id && (
                <button
                  type="submit"
                  className="quiet"
                  formAction={setAdmin.bind(null, id, !isAdmin)}
                >
                  {isAdmin ? `Make ${name} a member` : `Make ${name} an admin`}
                </button>
              )}
              <button type="submit" className="quiet" formAction={endSessions.bind(null, id)}>
                Sign {name} out
              </button>
            </form>
          </li>
        ))}
      </ul>
    </>
  )
}
