import { Link, type Metadata, type PageProps, unauthorized } from 'waymark'
import { database } from '../../../../database/open.ts'
import { dictionaryOf } from '../../../../dictionaries/dictionary.ts'
import { fill, formatPrice } from '../../../../dictionaries/format.ts'
import { readLanguage } from '../../../../languages.ts'
import { readUser } from '../../../../session.ts'
import { signOut } from '../../_account/actions.ts'

type Props = PageProps<'/[lang]/account'>

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: dictionaryOf(await readLanguage(params)).account.title }
}

export default async function Account({ params }: Props) {
  const lang = await readLanguage(params)
  // Read the user here as well, although the layout has already checked that somebody is signed in.
  const user = (await readUser()) ?? unauthorized()
  const orders = await database().listOrders(user.id)
  const { account } = dictionaryOf(lang)
  return (
    <div className="narrow">
      <h1>{account.title}</h1>
      <form action={signOut} className="hello">
        <input type="hidden" name="next" value={`/${lang}`} />
        <span>{fill(account.hello, { email: user.email })}</span>
        <button type="submit" className="button plain">
          {account.signOut}
        </button>
      </form>
      <h2>{account.orders}</h2>
      {orders.length === 0 && <p className="empty">{account.noOrders}</p>}
      <ul className="orders">
        {orders.map(({ id, createdAtMs, totalCents }) => (
          <li key={id}>
            <Link href={`/${lang}/account/orders/${id}`}>
              {new Date(createdAtMs).toLocaleDateString(lang, { dateStyle: 'long' })}
            </Link>
            <span className="price">{formatPrice(totalCents, lang)}</span>
          </li>
        ))}
      </ul>
    </div>
  )
}
