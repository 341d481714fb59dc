// Hostile text in a session must stay fenced, credentials must reach no file and no output, and links, pipes
// and devices in place of files must lead nowhere. These scenarios are in a separate file, so that they run
// in parallel with those of scenarios_test.ts.

import { testScenario } from "./processes.ts";

testScenario(
  "a link, pipe or device in place of a trimtab file never leads out of the project",
  "replacedFiles",
  500,
);
testScenario("session text never leaves its fence, its section or its line", "hostileTexts", 200);
testScenario(
  "credentials in any field reach no saved file, and only the output of commands that print their input",
  "plantedSecrets",
  80,
);
