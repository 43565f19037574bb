import os,sys,time,resource
from shapeflow import _sandbox as s
L=sys.argv[1]; ts=[]
for i in range(60):
    t=time.perf_counter()
    pid,fd,layer,notes=s.spawn(dict(layers=[L],max_memory=1<<30,scratch_size=64<<20))
    if pid==0: os._exit(0)
    ts.append(time.perf_counter()-t)
    while os.read(fd,100): pass
    os.close(fd); os.waitpid(pid,0)
r=resource.getrusage(resource.RUSAGE_CHILDREN); q=resource.getrusage(resource.RUSAGE_SELF)
ts.sort()
print(L,"median %.2f 10%% %.2f ms"%(ts[30]*1e3,ts[6]*1e3),"cpu of children %.2f ms each, maxrss %d"%((r.ru_utime+r.ru_stime)/60*1e3, r.ru_maxrss))
