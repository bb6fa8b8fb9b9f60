import { beforeEach, type TestContext } from 'vitest'

type Task = TestContext['task']

// The project runs files again that also run on other stores: only what differs.
beforeEach(({ task, skip }) => skip(!namesOf(task).includes('MySQL')))

function namesOf(task: Task | Task['suite']): string {
  return task === undefined ? '' : `${namesOf(task.suite)} ${task.name}`
}
