package churn_test

import (
	"reflect"
	"testing"

	"throng/lab/churn"
	"throng/mechanism"
)

func TestProcesses(t *testing.T) {
	got, err := churn.Processes("servers 1-2; registry + users 2,4; ", stage().Places)
	if want := [][]mechanism.NodeID{{2, 3}, {1, 5, 7}}; err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, %v, want %v", got, err, want)
	}
	for text, want := range map[string]string{
		"servers 1-2 | rest":  `"servers 1-2 | rest": "|" is not understood here; write + between nodes of one process and ; between processes`,
		"rest":                `"rest": the rest is no process; name the nodes, as in servers 1-2`,
		"a server + registry": `"a server + registry": says not which nodes; as in servers 1-2, or registry + server 3`,
		"servers + server 2":  "node 3 is in two processes; name every node once",
		"storages 1-2":        `nobody here is a "storage"; there are: client, node, registry, server, user`,
	} {
		if _, err := churn.Processes(text, stage().Places); err == nil || err.Error() != want {
			t.Errorf("%s: got %v, want %s", text, err, want)
		}
	}
}
