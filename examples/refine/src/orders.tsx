import { useCreate, useList } from '@refinedev/core'
import { useNavigate } from 'react-router'

interface Order {
  readonly id: number
  readonly item: string
  readonly by: string
}

export function OrderList() {
  const { result } = useList<Order>({ resource: 'orders' })
  return (
    <>
      <h1>Orders</h1>
      <table>
        <tbody>
          {result.data.map(({ id, item, by }) => (
            <tr key={id}>
              <td>{item}</td>
              <td>{by}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  )
}

export function OrderCreate() {
  const navigate = useNavigate()
  const { mutate, mutation } = useCreate<Order>()
  function save(form: FormData) {
    const values = { item: String(form.get('item')) }
    mutate({ resource: 'orders', values }, { onSuccess: () => void navigate('/orders') })
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        save(new FormData(event.currentTarget))
      }}
    >
      <h1>New order</h1>
      <label>
        Item <input name="item" required />
      </label>
      <button>Save</button>
      <p role="alert">{mutation.error?.message}</p>
    </form>
  )
}
