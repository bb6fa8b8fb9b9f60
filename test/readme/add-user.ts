// add-user.ts: the first administrator; the password comes from standard input
import { text } from 'node:stream/consumers'
import { addUser } from './users.ts'

const [email = '', name = ''] = process.argv.slice(2)
void text(process.stdin).then(async (password) => addUser(email, name, password.trimEnd()))
