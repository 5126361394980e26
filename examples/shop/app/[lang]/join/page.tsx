import { Link, type Metadata, type PageProps } from 'waymark'
import { z } from 'zod'
import { dictionaryOf } from '../../../dictionaries/dictionary.ts'
import { readLanguage } from '../../../languages.ts'
import { AccountForm } from '../_account/accountForm.tsx'

type Props = PageProps<'/[lang]/join'>

export const searchParams = z.object({ next: z.string().max(500).optional().catch(undefined) })

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: dictionaryOf(await readLanguage(params)).account.join }
}

export default async function Join(props: Props) {
  const lang = await readLanguage(props.params)
  const { next = `/${lang}/account` } = await props.searchParams
  const { account, errors } = dictionaryOf(lang)
  return (
    <div className="narrow">
      <h1>{account.join}</h1>
      <AccountForm kind="join" next={next} texts={account} errors={errors} />
      <p>
        {account.hasAccount}{' '}
        <Link href={{ pathname: '/[lang]/login', params: { lang }, query: { next } }}>
          {account.signIn}
        </Link>
      </p>
    </div>
  )
}
