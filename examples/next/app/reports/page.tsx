import { listOrders } from '@example/shop'
import { pageUser } from '../../lib/page-user'
import { Suspense } from 'react'
import { order } from './actions'

/** The user is known to a request only: the page around it may be made by the build. */
export default function Page(props: PageProps<'/reports'>) {
  return (
    <Suspense>
      <Reports {...props} />
    </Suspense>
  )
}

async function Reports({ searchParams }: PageProps<'/reports'>) {
  const query = new URLSearchParams((await searchParams) as Record<string, string>)
  const user = await pageUser(`/reports?${query}`)
  return (
    <>
      <h1>Reports for {user.name}</h1>
      <ul>
        {listOrders().map(({ item, by }, index) => (
          <li key={index}>
            {item}, by {by}
          </li>
        ))}
      </ul>
      <form action={order}>
        <label>
          Item <input name="item" required />
        </label>
        <button>Order</button>
      </form>
      <p>
        <a href="/admin/main">Panel</a>
      </p>
    </>
  )
}
